"""The README's table of backends and the tables in docs/backends/times.md, made from the bench that a mark names:

python -m tools.tables.backends docs/measurements/DEVICE-DATE/ocean/bench.json --size 512

Without arguments the tables are made again from the report that the mark names.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ocean.bench.rows import Bench, BenchError, Row
from ocean.fft import BACKENDS
from tools.papers.drawing import digits

ROOT = Path(__file__).parents[2]
README, PAGE = ROOT / "README.md", ROOT / "docs" / "backends" / "times.md"
MARKED = re.compile(r"<!-- backend-table(?: (\S+) (\d+))? -->\n.*?<!-- /backend-table -->", re.DOTALL)
TIMES = re.compile(r"<!-- time-table -->\n.*?<!-- /time-table -->", re.DOTALL)
HEADINGS = ("backend", "algorithm", "dispatches", "time", "p95", "speed-up", "relative error")
SHORT = {"cooley-tukey-stages", "stockham-radix4", "stockham-registers", "cufft graph", "vkfft tuned"}
"""The README's rows, by name, and for peers also by options."""
PEERS = {
    "cufft": "cuFFT through CuPy",
    "vkfft": "VkFFT through pyvkfft",
    "cuda-cooley-tukey": "the dissertation's kernel in CUDA, on surfaces",
    "cuda-stockham-radix2": "likewise",
    "cuda-stockham-radix4": "likewise",
}
CLOCKS = {"gpu": "GPU timestamps", "wall": "wall clock"}


def lines(bench: Bench, path: str, size: int, short: bool) -> Iterator[str]:
    """Return the table of the workload `ocean` at one size, with all rows or those in SHORT, and machine and clock.

    Raises:
        BenchError: when it was not measured.
    """
    ran = [row for row in transforms(bench) if row.size == size]
    if not ran:
        raise BenchError(f"this report has no ocean of {size}")
    yield f"| {' | '.join(HEADINGS)} |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    fastest = min(row.median_ms or 0.0 for row in ran)
    for row in ran:
        if short and (f"{row.name} {row.options}" if row.kind == "peer" else row.name) not in SHORT:
            continue
        yield line(row, (ran[0].median_ms or 0.0) / (row.median_ms or 1.0), row.median_ms == fastest)
    device = f"{bench.gl.renderer} (OpenGL {bench.gl.version})" if bench.gl else bench.host.cpu
    clock = CLOCKS.get(bench.clock or "wall", "")
    yield ""
    report = path.removesuffix(".json") + ".md"  # the readable tables beside it
    clock += ", CUDA events for CUDA" if any(row.kind == "peer" for row in ran) else ""
    yield f"{ran[0].batch} complex transforms of {size} × {size} on {device}, {clock}, warm: [the report]({report})."


def transforms(bench: Bench) -> list[Row]:
    """Return the correct rows of backends, except `auto`, and of peers."""
    rows = (row for row in bench.rows if (row.workload, row.part) == ("ocean", "transform") and row.name != "auto")
    return [row for row in rows if row.kind != "copy" and row.median_ms and row.is_right]


def times(bench: Bench) -> Iterator[str]:
    """Return all medians by size, in milliseconds."""
    found: dict[str, dict[int, float]] = {}
    for row in transforms(bench):
        name = f"`{row.name}`, {row.options}" if row.kind == "peer" else f"`{row.name}`"
        found.setdefault(name, {})[row.size] = row.median_ms or 0.0
    sizes = sorted({size for by_size in found.values() for size in by_size})
    fastest = {size: min(by_size[size] for by_size in found.values() if size in by_size) for size in sizes}
    yield f"| ms |{'|'.join(f' N = {size} ' for size in sizes)}|"
    yield f"| --- |{' ---: |' * len(sizes)}"
    for name, by_size in found.items():
        shown = {size: f"**{digits(ms)}**" if ms == fastest[size] else digits(ms) for size, ms in by_size.items()}
        yield f"| {name} | {' | '.join(shown.get(size, '') for size in sizes)} |"


def line(row: Row, speedup: float, is_fastest: bool) -> str:
    """Return the line of a backend or a peer."""
    about = BACKENDS[row.name].summary if row.name in BACKENDS else f"{PEERS[row.name]} ({row.options})"
    name = f"**`{row.name}`**" if is_fastest else f"`{row.name}`"
    calls = "" if row.dispatches is None else str(row.dispatches)
    times = (f"{value or 0.0:.4f} ms" for value in (row.median_ms, row.p95_ms))
    gain = f"{speedup:.2f}" if speedup >= 0.1 else f"1/{1 / speedup:.0f}"
    return f"| {name} | {about} | {calls} | {' | '.join(times)} | {gain} | {row.relative_l2:.1e} |"


def with_table(text: str, bench: Bench, path: str, size: int, short: bool = False) -> str:
    """Return a text with the table of backends between its marks."""
    made = "\n".join(lines(bench, path, size, short))
    marked = f"<!-- backend-table {path} {size} -->\n{made}\n<!-- /backend-table -->"
    return between_marks(text, MARKED, "backend-table", marked)


def with_times(text: str, bench: Bench) -> str:
    """Return a text with the table of times between its marks."""
    made = "\n".join(times(bench))
    return between_marks(text, TIMES, "time-table", f"<!-- time-table -->\n{made}\n<!-- /time-table -->")


def between_marks(text: str, marks: re.Pattern[str], name: str, made: str) -> str:
    changed, count = marks.subn(lambda _: made, text)
    if count != 1:
        raise BenchError(f"there are no marks <!-- {name} --> and <!-- /{name} -->")
    return changed


def named(text: str) -> tuple[str, int]:
    """Return the report and the size that a mark names."""
    found = MARKED.search(text)
    if found is None or found[1] is None:
        raise BenchError("no mark names a report")
    return found[1], int(found[2])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Make the tables of backends from a report.")
    parser.add_argument("report", type=Path, nargs="?")
    parser.add_argument("--size", type=int, default=512)
    chosen = parser.parse_args(arguments)
    text, page = (file.read_text(encoding="utf-8") for file in (README, PAGE))
    try:
        path, size = named(text)
        if chosen.report is not None:
            path, size = chosen.report.resolve().relative_to(ROOT).as_posix(), chosen.size
        bench = Bench.read(ROOT / path)
        made = {
            README: with_table(text, bench, path, size, short=True),
            PAGE: with_times(with_table(page, bench, f"../{path.removeprefix('docs/')}", size), bench),
        }
    except (BenchError, ValueError) as error:
        parser.error(str(error))
    for file, changed in made.items():
        file.write_text(changed, encoding="utf-8")


if __name__ == "__main__":
    main()
