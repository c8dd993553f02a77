"""Tables and figure of docs/measurements/speed.md, made from one or several benches of the workload `ocean` on one GPU:

python -m tools.tables.speed docs/measurements/DEVICE-DATE/ocean/bench.json

The figure, speed.png and speed.svg (which the repository does not keep), lies beside the first of them.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ocean.bench.rows import Bench, BenchError, Noise, Row
from ocean.capture.plots import COLOURS, FAINT, INK
from tools.papers.drawing import repeatable, save

PAGE = Path(__file__).parents[2] / "docs" / "measurements" / "speed.md"
BACKEND, DISSERTATION = "stockham-registers", "stockham-radix4"
TRANSFORMS = {512: (1.45, 1.2), 1024: (1.3, 1.1), 2048: (0.95, 0.85)}
"""Limits, must and want, in units of the best library's time."""
MAPS = {512: (1.05, 0.95), 1024: (0.95, 0.8), 2048: (0.8, 0.65)}
COPIES, TIMES_FASTER, SEVERAL = (1.25, 1.1), (5.0, 8.0), (2.8, 2.4)
ERROR, SUBMIT = (3e-7, 1.5e-7), (150.0, 60.0)
FIGURE, WORDS_AT = "speed", (1.02, 1.2, 1.65)  # x of words beside the axes, which end at 1
HIDDEN = "within the noise"
VERDICTS = {
    "as wanted": COLOURS[2],
    "yes": COLOURS[0],
    f"yes, want {HIDDEN}": COLOURS[0],
    HIDDEN: COLOURS[1],
    "no": COLOURS[5],
}
"""Colours of the verdicts in the figure."""


@dataclass(frozen=True)
class Goal:
    """Measured quantity with its goals."""

    what: str
    value: float
    limits: tuple[float, float]  # must, want
    form: str = "{:.2f}"
    time: str = ""  # µs
    against: str = ""
    base: str = ""  # µs
    above: bool = False  # a higher value is better
    noise: float = 0.0  # share by which times of equal work differ

    @property
    def verdict(self) -> str:
        """Return the verdict on a goal. It is open if the distance to a limit is smaller than the noise."""
        effort = self.effort(self.value)
        must, want = (self.effort(limit) / effort - 1 for limit in self.limits)
        if abs(must) < self.noise:
            return HIDDEN
        if must < 0:
            return "no"
        if abs(want) < self.noise:
            return f"yes, want {HIDDEN}"
        return "as wanted" if want >= 0 else "yes"

    def effort(self, value: float) -> float:
        """Return the value in units of the limit; lower is better."""
        return self.limits[0] / value if self.above else value / self.limits[0]

    @property
    def line(self) -> str:
        verdict = "**no**" if self.verdict == "no" else self.verdict
        number = self.form.format(self.value) if self.base or not self.time else ""
        cells = self.what, self.time, self.against, self.base, number, *map("{:g}".format, self.limits), verdict
        return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"

    @property
    def words(self) -> tuple[str, str, str]:
        """Return the words beside a bar."""
        must, want = self.limits
        return self.form.format(self.value), f"must {must:g}, want {want:g}", self.verdict


class Rows:
    def __init__(self, rows: Sequence[Row], noise: Sequence[Noise] = ()) -> None:
        self._noise = [one for one in noise if one.workload == "ocean"]
        self._rows = [row for row in rows if row.workload == "ocean" and row.median_ms]

    def noise(self, size: int) -> float:
        """Return the noise of this size."""
        return max((one.difference for one in self._noise if one.size == size), default=0.0)

    def best(self, size: int, *names: str, part: str = "transform", options: str = "") -> Row | None:
        """Return the fastest of these rows."""
        found = (row for row in self._rows if (row.size, row.part) == (size, part) and row.name in names)
        right = [row for row in found if options in row.options and row.is_right is not False]
        return min(right, key=microseconds, default=None)


def microseconds(row: Row | None) -> float:
    return 1e3 * (row.median_ms or 0.0) if row else 0.0


def against(
    rows: Rows, what: str, row: Row | None, other: Row | None, limits: tuple[float, float], copies: int = 1
) -> Iterator[Goal]:
    """Yield the goal for the time of one row in units of another's."""
    if row is None or other is None:
        return
    base = copies * microseconds(other)
    name = f"{copies} copies" if copies > 1 else f"{other.name} {other.options}".strip()
    ratio = microseconds(row) / base
    times = f"{microseconds(row):.1f}", f"{base:.1f}"
    yield Goal(what, ratio, limits, time=times[0], against=name, base=times[1], noise=rows.noise(row.size))


def goals(rows: Rows) -> Iterator[Goal]:
    """Yield the goals for which there are rows."""
    for size, limits in TRANSFORMS.items():
        yield from against(
            rows, f"four FFTs, N = {size}", rows.best(size, BACKEND), rows.best(size, "cufft", "vkfft"), limits
        )
    for size in TRANSFORMS:
        yield from against(
            rows, f"four FFTs, N = {size}", rows.best(size, BACKEND), rows.best(size, "copy"), COPIES, copies=2
        )
    for size, limits in MAPS.items():
        fused = rows.best(size, "fused", part="maps", options="cascades=1")
        yield from against(rows, f"h0 to maps, N = {size}", fused, rows.best(size, "pipeline", part="maps"), limits)
    one = rows.best(512, "fused", part="maps", options="cascades=1")
    three = rows.best(512, "fused", part="maps", options="cascades=3")
    yield from against(rows, "three cascades, N = 512", three, one, SEVERAL)
    ours, theirs = rows.best(1024, BACKEND), rows.best(1024, DISSERTATION)
    if ours and theirs:
        times = [microseconds(row) for row in (ours, theirs)]
        yield Goal(
            "four FFTs, N = 1024, times faster",
            times[1] / times[0],
            TIMES_FASTER,
            "{:.1f}",
            f"{times[0]:.1f}",
            DISSERTATION,
            f"{times[1]:.1f}",
            above=True,
            noise=rows.noise(ours.size),
        )
    errors = [
        row.relative_l2
        for size in TRANSFORMS
        for row in (rows.best(size, BACKEND), rows.best(size, "fused", part="maps"))
        if row and row.relative_l2
    ]
    if errors:
        yield Goal("largest relative L2 of these", max(errors), ERROR, "{:.1e}", against="float64")
    if frame := rows.best(512, "sea", part="submit", options="cascades=3"):
        submit = microseconds(frame)
        what = "CPU, a frame of the sea, three cascades"
        yield Goal(what, submit, SUBMIT, "{:.0f} µs", time=f"{submit:.0f}")


def lines(rows: Rows) -> Iterator[str]:
    yield "| what | µs | against | µs | ratio | must | want | |"
    yield "| --- | ---: | --- | ---: | ---: | ---: | ---: | --- |"
    yield from (goal.line for goal in goals(rows))


def bandwidth(rows: Rows) -> Iterator[str]:
    """Return the bytes moved for each texel, and the bandwidth."""
    found = {
        "four FFTs, separate": ("32 + 32", "32 + 32", BACKEND, "transform", ""),
        "fused": ("12 + 32", "32 + 32", "fused", "maps", "cascades=1"),
        "one copy": ("32", "32", "copy", "transform", ""),
    }
    yield f"| | reads | writes |{'|'.join(f' N = {size} ' for size in TRANSFORMS)}|"
    yield f"| --- | --- | --- |{' ---: |' * len(TRANSFORMS)}"
    for what, (reads, writes, name, part, options) in found.items():
        best = [rows.best(size, name, part=part, options=options) for size in TRANSFORMS]
        speeds = " | ".join(f"{row.gb_per_s or 0.0:,.0f} GB/s" if row else "" for row in best)
        yield f"| {what} | {reads} | {writes} | {speeds} |"


TABLES = {"speed-table": lines, "bandwidth-table": bandwidth}
"""Tables by the name in their marks."""


def device_of(bench: Bench) -> str:
    """Return GPU, driver and clocks."""
    gl = f"{bench.gl.renderer} · OpenGL {bench.gl.version}" if bench.gl else bench.host.cpu
    events = ", CUDA events for CUDA" if any(row.kind == "peer" for row in bench.rows) else ""
    return f"{gl} · {'GPU timestamps' if bench.clock == 'gpu' else 'wall clock'}{events} · {bench.created:%Y-%m-%d}"


def draw(rows: Rows, folder: Path, device: str) -> list[str]:
    """Draw the goals into a folder, each as a bar that ends at 1 if it just reaches its limit. Return the names of the
    files."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    found = list(goals(rows))
    with repeatable():
        height = 1.3 + 0.34 * len(found)
        canvas = Figure(figsize=(11.0, height))
        canvas.subplots_adjust(left=0.345, right=0.685, top=1 - 0.65 / height, bottom=0.5 / height)
        FigureCanvasAgg(canvas)
        axes = canvas.add_subplot()
        for y, goal in enumerate(found):
            bar = goal.effort(goal.value)
            (drawn,) = axes.barh(y, bar, 0.62, color=VERDICTS[goal.verdict])
            drawn.set_gid(f"goal-{y}")
            (mark,) = axes.plot(goal.effort(goal.limits[1]), y, "D", markersize=5, color="white", markeredgecolor=INK)
            mark.set_gid(f"want-{y}")
            for x, words, colour in zip(WORDS_AT, goal.words, (INK, INK, VERDICTS[goal.verdict]), strict=True):
                axes.text(x, y, words, transform=axes.get_yaxis_transform(), va="center", color=colour)
        axes.text(1.0, -0.65, "must", ha="center", va="bottom", color=INK)
        axes.axvline(1.0, color=INK, linewidth=1.2).set_gid("must")
        names = [f"{goal.what}, against {goal.against}" if goal.against else goal.what for goal in found]
        axes.set_yticks(range(len(found)), names)
        axes.set_ylim(len(found) - 0.4, -0.6)
        axes.set_xlim(0, 1.1 * max([1.0, *(goal.effort(goal.value) for goal in found)]))
        axes.set_xlabel("share of the limit (the line): shorter is better, ◇ is the goal")
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x", color=FAINT, linewidth=0.5, alpha=0.6)
        axes.set_axisbelow(True)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        title = "How close the transforms come to what was asked of them"
        canvas.suptitle(f"{title}\n{device}", x=0.01, ha="left", fontsize=9, color=INK)
        return save(canvas, folder, FIGURE)


def with_table(text: str, rows: Rows) -> str:
    """Return a text with the tables between their marks updated.

    Raises:
        BenchError: when it lacks a mark.
    """
    for name, made in TABLES.items():
        begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise BenchError(f"there are no marks {begin} and {end}")
        text = "\n".join([before + begin, *made(rows), end + after])
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description="Make tables and figure of the page on speed.")
    parser.add_argument("benches", type=Path, nargs="+")
    parser.add_argument("--page", type=Path, default=PAGE)
    chosen = parser.parse_args()
    try:
        benches = [Bench.read(path) for path in chosen.benches]
        noise = [one for bench in benches for one in bench.noise]
        rows = Rows([row for bench in benches for row in bench.rows], noise)
        made = with_table(chosen.page.read_text(encoding="utf-8"), rows)
    except BenchError as error:
        parser.error(str(error))
    chosen.page.write_text(made, encoding="utf-8")
    draw(rows, chosen.benches[0].parent, device_of(benches[0]))


if __name__ == "__main__":
    main()
