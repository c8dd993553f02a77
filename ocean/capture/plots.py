"""Pictures of a capture: a plot of its passes (PNG), and a time line of trace events (JSON) for Perfetto.

matplotlib is imported inside the functions, drawing goes to Agg, and no figure outlives its call.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ocean.capture.report import CaseRecord, Report
from ocean.common.records import Measured
from ocean.fft.measure import percentile
from ocean.gpu.passes import Pass
from ocean.gpu.timing import FrameTimes, PassTime

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Okabe and Ito's colours, which differ for every kind of colour vision, and two more.
COLOURS = ("#0072B2", "#56B4E9", "#009E73", "#F0E442", "#E69F00", "#D55E00", "#CC79A7", "#666666", "#332288", "#999933")
INK, FAINT = "#222222", "#bbbbbb"
STYLE: dict[Any, Any] = {
    **{"axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True},
    **{"axes.titlesize": 10, "axes.titlelocation": "left", "axes.titlecolor": INK},
    **{"grid.color": FAINT, "grid.linewidth": 0.5, "grid.alpha": 0.6},
}
CLOCKS = {"gpu": "GPU timestamps", "wall": "wall clock, drained around each pass"}


def write_timings(path: Path, report: Report, name: str, frames: Sequence[FrameTimes]) -> None:
    """Draw a case's passes of every frame, their medians, and the FFT backends if they were compared, into a PNG."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    case = report.cases[name]
    backends = case.of_kind("backend")
    rows = 2 if backends else 1
    with rc_context(STYLE):
        figure = Figure(figsize=(13, 9 if backends else 5.2), layout="constrained")
        grid = figure.add_gridspec(rows, 2, width_ratios=(1.35, 1), height_ratios=(1.25, 1)[:rows])
        _draw_frames(figure.add_subplot(grid[0, 0]), case, frames)
        _draw_medians(figure.add_subplot(grid[0, 1]), case)
        if backends:
            _draw_backends(figure.add_subplot(grid[1, :]), list(backends.values()), case.settings["fft"]["backend"])
        figure.suptitle(_title(report, case), fontsize=11, x=0.01, ha="left", color=INK)
        figure.savefig(path, format="png", dpi=110)


def _title(report: Report, case: CaseRecord) -> str:
    capture, fft, frame = case.settings["capture"], case.settings["fft"], case.frame
    return (
        f"{report.gl.renderer}  ·  OpenGL {report.gl.version}  ·  {CLOCKS[report.clock.name]}\n"
        f"{capture['width']} × {capture['height']}, {fft['backend']} at {fft['size']}  ·  "
        f"frame: median {frame.median_ms:.2f} ms, p95 {frame.p95_ms:.2f} ms, "
        f"p99 {percentile(frame.samples_ms, 99):.2f} ms"
    )


def _draw_frames(axes: "Axes", case: CaseRecord, frames: Sequence[FrameTimes]) -> None:
    from matplotlib.ticker import MaxNLocator

    numbers = [frame.index for frame in frames]
    stack = [[f.passes[name].gpu_ms if name in f.passes else 0.0 for f in frames] for name in case.passes]
    edges = np.append(np.asarray(numbers) - 0.5, numbers[-1] + 0.5)
    below = np.zeros(len(frames))
    for i, times in enumerate(stack):
        above = below + times
        axes.stairs(above, edges, baseline=below, fill=True, color=COLOURS[i % len(COLOURS)], linewidth=0)
        below = above
    axes.axhline(case.frame.median_ms or 0.0, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
    top = _upper_limit(case)
    beyond = int(np.count_nonzero(below > top))
    if beyond:
        what = "1 frame lies" if beyond == 1 else f"{beyond} frames lie"
        note = f"{what} beyond, up to {below.max():.1f} ms"
        axes.text(0.99, 0.98, note, transform=axes.transAxes, ha="right", va="top", fontsize=8, color=INK)
    axes.set(title="Passes of each frame, stacked; the line is the median frame", xlabel="frame", ylabel="time in ms")
    axes.set(xlim=(edges[0], edges[-1]), ylim=(0, top))
    axes.grid(axis="y")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _upper_limit(case: CaseRecord) -> float:
    """Return the upper limit of an axis that shows all frames except rare outliers."""
    frame, median = case.frame, case.frame.median_ms or 0.0
    return 1.08 * min(max(frame.samples_ms), max(percentile(frame.samples_ms, 99), 1.6 * median), 3 * median) or 1.0


def _draw_medians(axes: "Axes", case: CaseRecord) -> None:
    """Draw each pass's median with a whisker to p95 and a diamond at its time to submit; the reference is below."""
    records = case.passes | case.of_kind("reference")
    places = [i + 0.5 * (row.kind == "reference") for i, row in enumerate(records.values())]
    total = case.frame.median_ms
    for i, (y, row) in enumerate(zip(places, records.values(), strict=True)):
        is_own = row.kind == "pass"
        median, p95, submit = _milliseconds(row)
        axes.plot(submit, y, marker="d", markersize=4, color=INK, fillstyle="none", linestyle="")
        share = f"  ({median / total:.1%})" if is_own and total else ""
        _draw_dot(axes, y, median, p95, COLOURS[i % len(COLOURS)] if is_own else FAINT, f"{median:.3g} ms{share}")
    times = [time for row in records.values() for time in _milliseconds(row)]
    _finish_dots(axes, "Passes: median, whisker to p95; diamond: CPU submit", places, list(records), times)


def _milliseconds(row: Measured) -> tuple[float, float, float]:
    """Return the median, p95, and the time to submit a run."""
    return row.median_ms or 0.0, row.p95_ms or 0.0, 1e-3 * (row.submit_us or 0.0)


def _draw_backends(axes: "Axes", rows: Sequence[Measured], chosen: str) -> None:
    """Draw the median of each FFT backend with a whisker to p95, or the reason why it can't run."""
    times = []
    for y, row in enumerate(rows):
        if not row.median_ms or row.p95_ms is None:
            axes.text(0.01, y, row.obstacle or "", va="center", fontsize=8, transform=axes.get_yaxis_transform())
            continue
        text = f"{row.median_ms:.3g} ms · {row.dispatches} dispatches · {row.gb_per_s:,.1f} GB/s · {row.speedup:.3g} ×"
        _draw_dot(axes, y, row.median_ms, row.p95_ms, COLOURS[5] if row.name == chosen else COLOURS[0], text)
        times += [row.median_ms, row.p95_ms]
    title = f"FFT backends on this sea, rows and columns: median, whisker to p95; red: {chosen}"
    _finish_dots(axes, title, range(len(rows)), [row.name for row in rows], times)


def _draw_dot(axes: "Axes", y: float, median: float, p95: float, colour: str, text: str) -> None:
    whisker = [[0.0], [p95 - median]]
    axes.errorbar(median, y, None, whisker, "o", markersize=9, color=colour, ecolor=INK, elinewidth=1, capsize=4)
    axes.annotate(text, (p95, y), (9, 0), textcoords="offset points", va="center", fontsize=8, color=INK)


def _finish_dots(
    axes: "Axes", title: str, places: Sequence[float], names: Sequence[str], times: Sequence[float]
) -> None:
    """Arrange rows from the top down, on a logarithmic axis with plain numbers and room for the text."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set(title=title, xlabel="time in ms, logarithmic", xscale="log", ylim=(max(places) + 0.6, -0.6))
    axes.set_yticks(places, names)
    axes.tick_params(axis="y", length=0)
    if known := [time for time in times if time > 0]:
        low, high = min(known) / 1.5, max(known) * 1.5
        axes.set_xlim(low, high * max(2.0, (high / low) ** 0.5))
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high / low < 200 else (1.0,)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(axis="x")


Event = dict[str, Any]
Span = Callable[[PassTime], tuple[float, float]]  # begin and length, in seconds
TRACKS: dict[str, Span] = {
    "CPU": lambda t: (t.cpu_start, t.cpu_ms * 1e-3),
    "GPU": lambda t: (t.gpu_start, t.gpu_ms * 1e-3),
}


def write_trace(path: Path, cases: Mapping[str, tuple[Sequence[FrameTimes], Mapping[str, Pass]]]) -> None:
    events = [
        event
        for process, (name, (frames, passes)) in enumerate(cases.items(), start=1)
        for event in case_events(process, name or "capture", frames, passes)
    ]
    lines = ",\n".join(json.dumps(event, ensure_ascii=False) for event in events)
    path.write_text(f'{{"displayTimeUnit": "ms", "traceEvents": [\n{lines}\n]}}\n', encoding="utf-8")


def case_events(process: int, name: str, frames: Sequence[FrameTimes], passes: Mapping[str, Pass]) -> Iterator[Event]:
    """Yield the events of one case, whose time starts with its first slice."""
    yield {"ph": "M", "name": "process_name", "pid": process, "args": {"name": name}}
    zero = min(span(t)[0] for frame in frames for t in frame.passes.values() for span in TRACKS.values())
    for thread, (track, span) in enumerate(TRACKS.items(), start=1):
        place = {"pid": process, "tid": thread}
        yield {"ph": "M", "name": "thread_name", **place, "args": {"name": track}}
        now = 0.0
        for frame in frames:
            for event in slices(frame, passes, span):
                # Times are rounded, and a GPU's clock may step by more than the rounding.
                now = max(now, round((event["ts"] - zero) * 1e6, 3))
                yield {**event, "ts": now, **place}


def slices(frame: FrameTimes, passes: Mapping[str, Pass], span: Span) -> Iterator[Event]:
    """Yield the slice of a frame, and in it one for each pass; times in seconds. Unknown counts are left out."""
    title, facts = f"frame {frame.index}", {"frame": frame.index, "time of the sea in s": frame.time}
    spans = {name: span(times) for name, times in frame.passes.items()}
    yield {"ph": "B", "name": title, "ts": min(begin for begin, _ in spans.values()), "args": facts}
    for name, (begin, length) in spans.items():
        known = passes.get(name)
        facts = {"dispatches": known.dispatches, "bytes moved at the least": known.bytes_moved} if known else {}
        facts = {words: count for words, count in facts.items() if count}
        yield {"ph": "B", "name": name, "ts": begin, "args": facts}
        yield {"ph": "E", "name": name, "ts": begin + length}
    yield {"ph": "E", "name": title, "ts": max(begin + length for begin, length in spans.values())}
