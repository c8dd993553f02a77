"""The comparison of FFT backends: rounds of a bench between the frames of the running sea, and their window.

The bench is imported where it is used, so that the window starts without it.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from imgui_bundle import imgui, imgui_ctx, implot
from numpy.typing import NDArray

from ocean.common.files import OutputError
from ocean.common.parameters import Parameters
from ocean.common.records import Measured
from ocean.fft.auto import Auto
from ocean.fft.backends import BACKENDS, name_of
from ocean.fft.measure import SPREAD
from ocean.sea.sea import Sea
from ocean.window.pictures import reporting
from ocean.window.ui import theme
from ocean.window.ui.dialogs import COMPARES, Actions, Run
from ocean.window.ui.theme import coloured, copy_buttons, draw_right, em, milliseconds, tooltip

if TYPE_CHECKING:
    from ocean.bench.live import LiveBench
    from ocean.bench.rows import Row
    from ocean.bench.tuning import Chosen

HEADINGS = ("Backend", "ms", "p95 ms", "submit ms", "speed-up", "dispatches", "GB/s", "error", "wrong", "obstacle")
"""Columns of the copied table. The window shows some of them, and the others in tooltips."""
TIMES = "ms", "p95 ms"  # by the clock, which their headings name
STEP = "step ms"  # time of a step of nonlinear waves, if the sea has any
STEP_HELP = "A step of nonlinear waves through this backend: four stages of their transforms."


class Line(NamedTuple):
    row: Measured
    rank: int | None
    speedup: float
    is_active: bool
    scale: tuple[float, float]  # ends of the bars [ms]
    step: float | None  # time of a step of nonlinear waves [ms]
    name: str

    @property
    def colour(self) -> theme.Colour | None:
        return theme.WRONG if self.row.is_right is False else None


@dataclass(frozen=True)
class Column:
    title: str
    width: float  # em
    text: Callable[[Line], str] = lambda _: ""
    """Returns the text of a cell. Cells of BACKEND, CHOICE and BARS are drawn otherwise."""
    order: Callable[[Measured], Any] | None = None
    """Value by which a click on the heading sorts."""
    left_out: int = 0
    """Narrow windows leave out the columns with 1 first, then those with 2 …; those with 0 stay."""


@dataclass(frozen=True, eq=False)
class Findings:
    """Comparison of backends: its rows so far, its subject, its progress from 0 to 1 (None when it is over) with words
    on it, and sentences on its report, on the choice of `auto`, and on the result."""

    rows: Sequence[Measured] = ()
    subject: str = ""
    progress: float | None = None
    saved: str = ""
    auto: str = ""
    is_auto: str = ""
    """Backend that `auto` uses; its row stands for both."""
    status: str = ""
    verdict: str = ""
    fastest: str = ""
    pair: "Chosen | None" = None
    """The fastest pair of fused axes, if any was measured."""
    steps: Mapping[str, float] = field(default_factory=dict)
    """Time of a step of nonlinear waves by backend [ms]."""
    curves: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]] = field(default_factory=dict)
    """Sizes and medians [ms] of a sweep by backend."""

    @property
    def clock(self) -> str:
        """Name of the clock that measured all rows; empty before the first."""
        return next((row.clock for row in self.rows if row.clock), "")

    @property
    def shown(self) -> list[Measured]:
        return [row for row in self.rows if row.name != "auto" or not self.is_auto]


class PastRun(NamedTuple):
    """An earlier comparison, read from its report."""

    device: str
    title: str
    findings: Findings


class ComparisonWindow:
    def __init__(self, actions: Actions, keeps: Callable[[object], bool]) -> None:
        """Take `keeps`, which returns whether a window keeps what it shows of given values."""
        self._actions, self._keeps = actions, keeps
        self._baseline = ""  # backend with a speed-up of 1; empty: the first measured one
        self._past: PastRun | None = None  # run shown in place of the newest findings

    def draw(self, comparing: "BackendComparison", active: str, runs: Sequence[PastRun]) -> bool:
        newest = comparing.findings
        imgui.set_next_window_size((em(40), em(26)), imgui.Cond_.first_use_ever)
        with imgui_ctx.begin("FFT backends###comparison", True) as window:
            if window.expanded and not self._keeps((newest, active, runs)):
                findings = self._past.findings if self._past else newest
                self._controls(comparing, findings)
                self._choices(findings, runs)
                if findings.curves:
                    plot(findings)
                else:
                    self._table(findings, active)
        return bool(window.opened)

    def _button(self, label: str, width: float, run: Run) -> None:
        if imgui.button(label, (em(width), 0)):
            self._past = None
            self._actions.asked.append(run)

    def _controls(self, comparing: "BackendComparison", shown: Findings) -> None:
        newest = comparing.findings
        if newest.progress is not None:
            self._button("Stop", 5, comparing.toggle)
            imgui.same_line()
            imgui.progress_bar(newest.progress, (-1, 0), newest.status)
            return
        self._button("Measure again" if newest.rows else "Measure", 7.5, comparing.toggle)
        tooltip(f"{COMPARES} The sea stands still meanwhile, so that nothing else runs on the GPU.")
        imgui.same_line()
        self._button("Sizes", 4, partial(comparing.toggle, sweeps=True))
        tooltip("Measure each backend at several sizes, with as many transforms as the sea has, and plot the medians.")
        if newest.fastest and shown is newest:
            imgui.same_line()
            fused = f", and fused {newest.pair.backend}," if newest.pair else ""
            help = f"Let auto take {newest.fastest}{fused} for {newest.subject} on this GPU, also after a restart."
            self._actions.button("Use as tuning", self._actions.tune, help)
        if any(row.samples_ms for row in shown.rows) and not shown.curves:
            names = [f"{shown.clock} {name}" if name in TIMES else name for name in HEADINGS]
            imgui.same_line()
            if imgui.get_content_region_avail().x < em(11):
                imgui.new_line()
            copy_buttons([*names, STEP] if shown.steps else names, lambda: self._copied(shown))

    def _copied(self, shown: Findings) -> list[list[str]]:
        rows = [cells(row, speedup(row, self._base(shown.rows))) for row in shown.shown]
        if shown.steps:
            rows = [[*row, f"{shown.steps[row[0]]:.6g}" if row[0] in shown.steps else ""] for row in rows]
        return rows

    def _choices(self, shown: Findings, runs: Sequence[PastRun]) -> None:
        base = self._base(shown.rows)
        if base and not shown.curves:
            text, style = f"baseline: {base.name}", imgui.get_style()
            arrow = imgui.get_frame_height() + 2 * style.frame_padding.x
            imgui.set_next_item_width(imgui.calc_text_size(text).x + arrow)
            names = [row.name for row in shown.rows if row.samples_ms]
            self._baseline = theme.combo("##baseline", text, names, base.name) or self._baseline
            tooltip("Speed-ups are over this backend.")
            imgui.same_line()
        imgui.set_next_item_width(-1)
        if runs and imgui.begin_combo("##runs", self._past.title if self._past else "newest run"):
            if imgui.selectable("newest run", self._past is None)[0]:
                self._past = None
            for device, found in groupby(runs, lambda run: run.device):
                imgui.separator_text(device)
                for run in found:
                    if imgui.selectable(run.title, run is self._past)[0]:
                        self._past = run
            imgui.end_combo()
        elif not runs:
            imgui.new_line()
        measured = f"{shown.subject} by the {shown.clock} clock." if base else ""
        for said, colour in ((shown.verdict, theme.TEXT), (f"{measured} {shown.auto}".strip(), theme.FAINT)):
            if said:
                theme.wrapped(said, colour)
                tooltip(shown.saved)

    def _base(self, rows: Sequence[Measured]) -> Measured | None:
        """Return the baseline of the speed-ups: the chosen row, or the first measured one."""
        measured = [row for row in rows if row.samples_ms]
        return next((row for row in measured if row.name == self._baseline), measured[0] if measured else None)

    def _table(self, findings: Findings, active: str) -> None:
        if not (rows := findings.shown):
            return
        active = findings.is_auto if active == "auto" and findings.is_auto else active
        names = {row.name: f"{row.name} (auto)" if row.name == findings.is_auto else row.name for row in rows}
        columns = columns_in(imgui.get_content_region_avail().x, names.values(), bool(findings.steps))
        flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.sortable
        if not imgui.begin_table(f"backends {[column.title for column in columns]}", len(columns), flags):
            return
        widest, red = BARS if BARS in columns else BACKEND, ERROR if ERROR in columns else TIME
        sorts, flag = next(column for column in columns if column.order is median), imgui.TableColumnFlags_
        for column, room in columns.items():
            sorting = flag.default_sort if column is sorts else flag.none if column.order else flag.no_sort
            width = flag.width_stretch if column is widest else flag.width_fixed
            imgui.table_setup_column(column.title, sorting | width, 0.0 if column is widest else room)
        imgui.table_next_row(imgui.TableRowFlags_.headers)
        for column in columns:
            imgui.table_next_column()
            imgui.table_header(f"{findings.clock if column is TIME else ''} {column.title}##compared".lstrip())
            tooltip(STEP_HELP if column.title == STEP else "")
        samples = [sample for row in rows for sample in row.samples_ms]
        scale = (0.5 * min(samples), max(samples)) if samples and min(samples) > 0 else (1.0, 2.0)
        ranks, base = ranked(rows), self._base(rows)
        for row in rows if findings.progress is not None else self._sorted(rows, list(columns)):
            places = ranks.get(row.name), speedup(row, base)
            line = Line(row, *places, row.name == active, scale, findings.steps.get(row.name), names[row.name])
            imgui.table_next_row()
            for column in columns:
                imgui.table_next_column()
                if row.obstacle is None or column in (BACKEND, CHOICE):
                    self._cell(column, line, line.colour if column is red else None)
        imgui.end_table()

    @staticmethod
    def _sorted(rows: Sequence[Measured], columns: Sequence[Column]) -> list[Measured]:
        """Return the rows sorted by the clicked column, rows without times last; without a click, in given order."""
        specs = imgui.table_get_sort_specs()
        if specs is None or specs.specs_count == 0:
            return list(rows)
        column, descends = specs.get_specs(0).column_index, specs.get_specs(0).sort_direction == 2
        with_times = [row for row in rows if row.samples_ms]
        ordered = sorted(with_times, key=columns[column].order or median, reverse=descends)
        return [*ordered, *(row for row in rows if not row.samples_ms)]

    def _cell(self, column: Column, line: Line, colour: theme.Colour | None) -> None:
        row = line.row
        if column is BACKEND:
            imgui.selectable(f"{line.name}##compared", line.is_active)
            tooltip(partial(summary, row))
        elif column is BARS and row.samples_ms:
            bar(row, line.scale, line.colour or (theme.ACCENT if line.is_active else theme.BAR))
        elif column is not CHOICE:
            draw_right(column.text(line), colour)
        elif row.obstacle is not None:
            coloured("can't", theme.FAINT)
        elif line.is_active:
            coloured("in use", theme.ACCENT)
        elif imgui.small_button(f"Use this##{row.name}"):
            self._actions.asked.append(partial(self._actions.use_backend, row.name))


def median(row: Measured) -> float:
    """Return the median [ms], infinite before the measurement."""
    return math.inf if row.median_ms is None else row.median_ms


def relative_error(row: Measured) -> float:
    """Return the relative error, infinite if it is not finite."""
    return math.inf if row.relative_l2 is None else row.relative_l2


def error_text(line: Line) -> str:
    return f"{relative_error(line.row):.1e}" if line.row.samples_ms or line.colour else ""


def bandwidth_text(line: Line) -> str:
    return f"{line.row.gb_per_s or 0.0:.1f}" if line.row.samples_ms else ""


BACKEND = Column("Backend", 9.6, order=lambda row: row.name)
CHOICE = Column("", 5.0)
BARS = Column("log scale", 4.0, left_out=1)
TIME = Column("ms", 4.4, lambda line: milliseconds(line.row.median_ms), median)
ERROR = Column("error", 4.4, error_text, relative_error, 4)
COLUMNS = (
    Column("rank", 2.8, lambda line: str(line.rank or ""), median, left_out=2),
    BACKEND,
    CHOICE,
    BARS,
    TIME,
    Column("speed-up", 5.0, lambda line: f"{line.speedup:.3g} ×" if line.speedup else "", lambda row: -median(row), 3),
    Column("dispatches", 5.6, lambda line: str(line.row.dispatches or 0), lambda row: row.dispatches or 0, 1),
    Column("GB/s", 4.2, bandwidth_text, lambda row: row.gb_per_s or 0.0, 1),
    ERROR,
    Column(STEP, 4.4, lambda line: milliseconds(line.step)),
)


def columns_in(width: float, names: Iterable[str], has_steps: bool) -> dict[Column, float]:
    """Return the columns that fit a window beside the whole names of backends, with their widths."""
    columns = {column: em(column.width) for column in COLUMNS if has_steps or column.title != STEP}
    columns[BACKEND] = max(columns[BACKEND], *(imgui.calc_text_size(name).x for name in names))
    gap = 2 * imgui.get_style().cell_padding.x
    for group in range(1, max(column.left_out for column in COLUMNS) + 1):
        if sum(columns.values()) + gap * len(columns) > width:
            columns = {column: room for column, room in columns.items() if column.left_out != group}
    return columns


def speedup(row: Measured, base: Measured | None) -> float:
    return base.median_ms / row.median_ms if base and base.median_ms and row.median_ms else 0.0


def ranked(rows: Sequence[Measured]) -> dict[str, int]:
    """Return the rank of each backend whose results are right, from 1 for the smallest median."""
    fastest = sorted((row for row in rows if row.samples_ms and row.is_right), key=median)
    return {row.name: rank for rank, row in enumerate(fastest, start=1)}


def bar(row: Measured, scale: tuple[float, float], colour: theme.Colour) -> None:
    """Draw a bar as long as the median, logarithmic in a scale, with a line from the 5th percentile to the 95th."""
    corner, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    height = imgui.get_text_line_height()
    low, high = map(math.log, scale)
    times = (row.median_ms, row.p5_ms, row.p95_ms)
    shares = [(math.log(time) - low) / (high - low) if time else 0.0 for time in times]
    middle, early, late = (corner.x + width * min(1.0, max(0.0, share)) for share in shares)
    top, bottom, centre = corner.y + 0.15 * height, corner.y + 0.85 * height, corner.y + 0.5 * height
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled((corner.x, top), (middle, bottom), theme.packed(colour))
    draw.add_line((early, centre), (late, centre), theme.packed(theme.TEXT), em(0.08))


def summary(row: Measured) -> str:
    """Return the tooltip of a backend: its numbers, or why there are none."""
    if row.obstacle is not None:
        return row.obstacle
    if row.median_ms is None or row.p95_ms is None:
        return f"{row.name}: not measured yet."
    return (
        f"{row.name}: median {milliseconds(row.median_ms)} ms, p95 {milliseconds(row.p95_ms)} ms, "
        f"{milliseconds((row.submit_us or 0.0) / 1e3)} ms to submit, "
        f"{len(row.samples_ms)} samples of {row.repeats} run{'s' * (row.repeats != 1)}\n"
        f"Relative error {relative_error(row):.1e}; {row.wrong_values or 0} values are off by more than "
        f"{SPREAD} times the error that the backend promises."
    )


def cells(row: Measured, speedup: float) -> list[str]:
    """Return a row for a copied table, in the order of HEADINGS. Values that were not measured are empty."""
    if row.obstacle is not None or not row.samples_ms:
        return [row.name, *[""] * (len(HEADINGS) - 2), row.obstacle or ""]
    times = [f"{value:.6g}" for value in (row.median_ms, row.p95_ms, (row.submit_us or 0.0) / 1e3, speedup)]
    counts = [f"{row.dispatches or 0}", f"{row.gb_per_s or 0:.4g}"]
    return [row.name, *times, *counts, f"{relative_error(row):.2e}", f"{row.wrong_values or 0}", ""]


SURE = 0.05  # completed fraction from which the rest of a comparison is estimated
MOST_RUNS = 20  # maximum number of reports that are read


def plot(findings: Findings) -> None:
    """Draw the medians of a sweep over the sizes, with room for all names in the legend."""
    curves = findings.curves
    height = max(imgui.get_content_region_avail().y, (len(curves) + 2) * imgui.get_text_line_height_with_spacing())
    if not implot.begin_plot("##sizes", (-1, height), implot.Flags_.no_title | implot.Flags_.no_menus):
        return
    implot.setup_axes("size", f"{findings.clock} ms", implot.AxisFlags_.auto_fit, implot.AxisFlags_.auto_fit)
    implot.setup_legend(implot.Location_.east, implot.LegendFlags_.outside)
    for axis in (implot.ImAxis_.x1, implot.ImAxis_.y1):
        implot.setup_axis_scale(axis, implot.Scale_.log10)
    ticks = sorted({size for sizes, _ in curves.values() for size in sizes.tolist()})
    implot.setup_axis_ticks(implot.ImAxis_.x1, ticks, [f"{size:.0f}" for size in ticks], False)
    for number, (name, (sizes, times)) in enumerate(curves.items()):
        spec = implot.Spec(line_color=theme.distinct(number), marker=implot.Marker_.circle, marker_size=2.5)
        implot.plot_line(name, sizes, times, spec)
    implot.end_plot()


class BackendComparison:
    """The running comparison, and the findings of the last one. `say` shows the path of its report."""

    def __init__(self, say: Callable[..., None]) -> None:
        self.findings = Findings()
        self.bench: LiveBench | None = None
        self._sweeps = False
        self.is_next = False  # True: a comparison begins with the next step, which compiles all backends
        self._say = say
        self._runs: list[PastRun] | None = None
        self._began = 0.0  # s
        self._shape, self._options = (0, 0), dict[str, Parameters]()  # of the measured fields and backends

    @property
    def is_busy(self) -> bool:
        return self.is_next or self.bench is not None

    def toggle(self, sweeps: bool = False) -> None:
        self.is_next, self._sweeps = not self.is_busy, sweeps
        self.release()

    def step(self, sea: Sea, options: Mapping[str, Parameters], folder: Path) -> None:
        """Measure one round between two frames; its report goes into `folder`. Another shape of sea ends it."""
        if self.is_next:
            from ocean.bench.live import LiveBench

            self.is_next = False
            self.bench = LiveBench(sea.ctx, sea, options, self._sweeps)
            self._began = monotonic()
            self._shape, self._options = shape_of(sea), dict(options)
            self.findings = Findings(self.bench.rows, self.bench.subject, 0.0, **choice(sea))
        elif self.bench and self.bench.fits(sea):
            try:
                self._advance(self.bench, folder)
            except Exception:  # the next round would raise it again
                self.release()
                raise
        else:
            self.release()

    def _advance(self, bench: "LiveBench", folder: Path) -> None:
        runs = bench.step()
        share, name, number = bench.reached
        left = (monotonic() - self._began) * (1 / share - 1) if share > SURE else math.inf
        about = f"about {left:.0f} s" if math.isfinite(left) else ""
        place, candidate = (f"{number} of {bench.candidates}", f": {name}") if number else (name, "")
        status = ", ".join(filter(None, (place, about))) + candidate
        subject, rows, steps = bench.subject, bench.rows, bench.steps
        self.findings = replace(self.findings, subject=subject, rows=rows, progress=share, status=status, steps=steps)
        if not runs:
            self._save(bench, folder)
            self.release()

    def _save(self, bench: "LiveBench", folder: Path) -> None:
        from ocean.bench.live import save

        result = bench.bench
        rows = [row for row in result.rows if row.part == "transform"]
        if self._sweeps:
            subject = f"{rows[0].batch} transforms of each size"
            self.findings = replace(self.findings, subject=subject, curves=curves_of(rows))
        else:
            said, fastest = judged(rows, result.worst_noise)
            pair = bench.pairs[0] if fastest and bench.pairs else None
            if pair:
                said += (
                    f" Fused with the sea, {pair.choice.backend} takes least: {milliseconds(pair.result.median_ms)} ms."
                )
            self.findings = replace(self.findings, verdict=said, fastest=fastest, pair=pair and pair.choice)
        with reporting(self._say, folder, folder / "bench.md"):
            save(result, folder)
            self.findings = replace(self.findings, saved=f"The report is in {folder}.")
            self._runs = None

    def tune(self, sea: Sea) -> None:
        """Let `auto` take the fastest backend for transforms as measured; the sea may have another shape by now."""
        from ocean.bench.tuning import Chosen, take

        found = self.findings
        name, pair = found.fastest, found.pair
        chosen = Chosen(name, self._options.get(name) or BACKENDS[name].Options())
        try:
            path = take(sea.ctx, *self._shape, chosen, pair)
        except OutputError as error:
            self._say(str(error), is_error=True)
            return
        if self._shape == shape_of(sea):
            sea.apply(sea.settings)
            self.findings = replace(found, **choice(sea))
        names = f"{name}, and fused {pair.backend}," if pair else name
        self._say(f"auto takes {names} for {found.subject} from now on, in {path.name}", path=path)

    def runs(self, folder: Path) -> Sequence[PastRun]:
        """Return the runs whose reports lie in a folder; they are read once, and again after a comparison."""
        if self._runs is None:
            self._runs = past_runs(folder)
        return self._runs

    def release(self) -> None:
        """End the running comparison and keep its findings."""
        bench, self.bench = self.bench, None
        if bench:
            self.findings = replace(self.findings, progress=None)
            bench.release()


def shape_of(sea: Sea) -> tuple[int, int]:
    return sea.size, sea.storage.layers


def choice(sea: Sea) -> dict[str, Any]:
    """Return what Findings say on the choice of `auto` for a sea."""
    alone, fused = name_of(Auto.choose(sea.storage, sea.size)[0]), name_of(Auto.pair(sea.storage)[0])
    return {"auto": f"{Auto.explain(sea.storage)}; fused, it takes {fused}.", "is_auto": alone}


def curves_of(rows: "Sequence[Row]") -> dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return sizes and medians [ms] of the right results by backend; `auto` has those of its choices."""
    right = [row for row in rows if row.kind == "backend" and row.median_ms and row.is_right]
    found = {name: [row for row in right if row.name == name] for name in BACKENDS}
    return {
        name: (np.array([float(row.size) for row in line]), np.array([median(row) for row in line]))
        for name, line in found.items()
        if line
    }


def judged(rows: "Sequence[Row]", noise: float | None) -> tuple[str, str]:
    """Return the sentences of a report on its backends, ties named, and the name of the fastest on the GPU; both empty
    if the noise was not measured."""
    from ocean.bench.tables import reasons, tie

    ran = [row for row in rows if row.kind == "backend" and row.median_ms and row.is_right and row.name != "auto"]
    if noise is None or not ran:
        return "", ""
    ran.sort(key=median)
    alike = [row.name for row in ran if median(row) / median(ran[0]) - 1 <= tie(noise, ran[0], row)]
    first = f"{alike[0]} is the fastest" if len(alike) == 1 else f"{', '.join(alike)} are the fastest, a tie"
    said = f"{first}: {milliseconds(ran[0].median_ms)} ms. The same work measured twice differs by up to {noise:.1%}."
    fastest = next((row.name for row in ran if row.name != "numpy"), "")  # on the GPU
    return " ".join([said, *reasons([row for row in rows if row.name != "auto"], noise)]), fastest


def past_runs(folder: Path) -> list[PastRun]:
    """Return the newest runs whose reports lie in a folder, by device. Reports that can't be read are left out."""
    from ocean.bench.rows import Bench, BenchError

    runs = []
    for path in sorted(folder.glob("bench*/bench.json"), reverse=True)[:MOST_RUNS]:
        with suppress(BenchError, OSError):
            bench = Bench.read(path)
            wanted = "ocean", "transform", "backend"
            rows = [row for row in bench.rows if (row.workload, row.part, row.kind) == wanted]
            for size in sorted({row.size for row in rows}):
                found = [row for row in rows if row.size == size]
                subject = f"{found[0].batch} transforms of {size} × {size}"
                plans = {row.plan: row.name for row in found if row.name != "auto" and row.plan}
                auto = next((plans.get(row.plan, "") for row in found if row.name == "auto"), "")
                said, _ = judged(found, bench.worst_noise)
                findings = Findings(found, subject, None, f"The report is in {path.parent}.", "", auto, verdict=said)
                device = bench.gl.renderer if bench.gl else "no GPU"
                runs.append(PastRun(device, f"{bench.created:%Y-%m-%d %H:%M} · {subject}", findings))
    return sorted(runs, key=lambda run: run.device)  # stable, so the newest stay first
