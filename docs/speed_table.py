"""Makes the table of docs/measurements/speed.md from one bench of the workload `ocean` or several, of one GPU:

python -m docs.speed_table docs/measurements/DEVICE-DATE/ocean/bench.json
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from ocean.bench.rows import BenchError, Row, read_json

PAGE = Path(__file__).parent / "measurements" / "speed.md"
BEGIN, END = "<!-- speed-table -->\n", "<!-- /speed-table -->"
BACKEND, DISSERTATION = "stockham-registers", "stockham-radix4"
TRANSFORMS = {512: (1.45, 1.2), 1024: (1.3, 1.1), 2048: (0.95, 0.85)}  # must, want: times the best library's time
MAPS = {512: (1.05, 0.95), 1024: (0.95, 0.8), 2048: (0.8, 0.65)}
COPIES, TIMES_FASTER, SEVERAL = (1.25, 1.1), (5.0, 8.0), (2.8, 2.4)
ERROR, SUBMIT = (3e-7, 1.5e-7), (150.0, 60.0)


class Rows:
    """What was measured."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = [row for row in rows if row.workload == "ocean" and row.median_ms]

    def best(self, size: int, *names: str, part: str = "transform", options: str = "") -> Row | None:
        """The fastest of these."""
        found = (row for row in self._rows if (row.size, row.part) == (size, part) and row.name in names)
        right = [row for row in found if options in row.options and row.is_right is not False]
        return min(right, key=microseconds, default=None)


def microseconds(row: Row | None) -> float:
    return 1e3 * (row.median_ms or 0.0) if row else 0.0


def judged(value: float, limits: tuple[float, float], *, above: bool = False) -> str:
    """Whether a value keeps within what it must and what is wanted; or reaches that, where more is better."""
    must, want = (value >= limit if above else value <= limit for limit in limits)
    return "as wanted" if want else "yes" if must else "**no**"


def against(
    what: str, row: Row | None, other: Row | None, limits: tuple[float, float], copies: int = 1
) -> Iterator[str]:
    """A row that says how long one takes, in times of another."""
    if row is None or other is None:
        return
    base = copies * microseconds(other)
    ratio = microseconds(row) / base
    name = f"{copies} copies" if copies > 1 else f"{other.name} {other.options}".strip()
    must, want = limits
    yield (
        f"| {what} | {microseconds(row):.1f} | {name} | {base:.1f} | {ratio:.2f} | {must:g} | {want:g} "
        f"| {judged(ratio, limits)} |"
    )


def lines(rows: Rows) -> Iterator[str]:
    """The table."""
    yield "| what | µs | against | µs | ratio | must | want | |"
    yield "| --- | ---: | --- | ---: | ---: | ---: | ---: | --- |"
    for size, limits in TRANSFORMS.items():
        yield from against(
            f"four FFTs, N = {size}", rows.best(size, BACKEND), rows.best(size, "cufft", "vkfft"), limits
        )
    for size in TRANSFORMS:
        yield from against(
            f"four FFTs, N = {size}", rows.best(size, BACKEND), rows.best(size, "copy"), COPIES, copies=2
        )
    for size, limits in MAPS.items():
        fused = rows.best(size, "fused", part="maps", options="cascades=1")
        yield from against(f"h0 to maps, N = {size}", fused, rows.best(size, "pipeline", part="maps"), limits)
    one = rows.best(512, "fused", part="maps", options="cascades=1")
    three = rows.best(512, "fused", part="maps", options="cascades=3")
    yield from against("three cascades, N = 512", three, one, SEVERAL)
    ours, theirs = rows.best(1024, BACKEND), rows.best(1024, DISSERTATION)
    if ours and theirs:
        gain = microseconds(theirs) / microseconds(ours)
        verdict = judged(gain, TIMES_FASTER, above=True)
        yield (
            f"| four FFTs, N = 1024, times faster | {microseconds(ours):.1f} | {DISSERTATION} "
            f"| {microseconds(theirs):.1f} | {gain:.1f} | {TIMES_FASTER[0]:g} | {TIMES_FASTER[1]:g} | {verdict} |"
        )
    errors = [
        row.relative_l2
        for size in TRANSFORMS
        for row in (rows.best(size, BACKEND), rows.best(size, "fused", part="maps"))
        if row and row.relative_l2
    ]
    if errors:
        worst = max(errors)
        yield f"| largest relative L2 of these | | float64 | | {worst:.1e} | 3e-7 | 1.5e-7 | {judged(worst, ERROR)} |"
    if sea := rows.best(512, "sea", part="sea", options="cascades=3"):
        submit = sea.submit_us or 0.0
        yield (
            f"| CPU, to submit the sea's passes, three cascades | {submit:.0f} | | | | {SUBMIT[0]:g} | {SUBMIT[1]:g} "
            f"| {judged(submit, SUBMIT)} |"
        )


def with_table(text: str, rows: Rows) -> str:
    """A text with the table between its marks.

    Raises:
        BenchError: when it has none.
    """
    before, _, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise BenchError(f"there are no marks {BEGIN.strip()} and {END}")
    return before + BEGIN + "\n".join(lines(rows)) + "\n" + end + after


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the table of the page on speed.")
    parser.add_argument("benches", type=Path, nargs="+")
    parser.add_argument("--page", type=Path, default=PAGE)
    chosen = parser.parse_args()
    try:
        rows = Rows([row for path in chosen.benches for row in read_json(path).rows])
        made = with_table(chosen.page.read_text(encoding="utf-8"), rows)
    except BenchError as error:
        parser.error(str(error))
    chosen.page.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
