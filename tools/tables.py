"""The tables of measured transforms: in the README, docs/backends/times.md and docs/measurements/speed.md.

    python -m tools.tables [docs/measurements/DEVICE/ocean/bench.json]

Each table lies between two marks. Without a report, the one that the README's mark names is used.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from ocean.bench.rows import Bench, BenchError, Row
from ocean.common.records import markdown_lines
from ocean.fft import BACKENDS
from tools.papers.drawing import digits

ROOT = Path(__file__).parents[1]
README, TIMES, SPEED = (ROOT / name for name in ("README.md", "docs/backends/times.md", "docs/measurements/speed.md"))
SIZE = 512  # size of the table with all backends
SHORT = {"cooley-tukey-stages", "stockham-radix4", "stockham-registers", "cufft graph", "vkfft tuned"}
"""The README's rows: backends, and peers with their options."""
PEERS = {
    "cufft": "cuFFT through CuPy",
    "vkfft": "VkFFT through pyvkfft",
    "cuda-cooley-tukey": "the dissertation's kernel in CUDA, on surfaces",
    "cuda-stockham-radix2": "likewise",
    "cuda-stockham-radix4": "likewise",
}
CLOCKS = {"gpu": "GPU timestamps", "wall": "wall clock", None: "wall clock"}
BEST, DISSERTATION = "stockham-registers", "stockham-radix4"
SPEED_SIZES = (512, 1024, 2048)


def transforms(bench: Bench) -> list[Row]:
    """Return the correct rows of backends, except `auto`, and of peers."""
    rows = (row for row in bench.rows if (row.workload, row.part) == ("ocean", "transform") and row.name != "auto")
    return [row for row in rows if row.kind != "copy" and row.median_ms and row.is_right]


def backends(bench: Bench, link: str, short: bool = False) -> Iterator[str]:
    """Yield the table of all backends, or of those in SHORT, with device, clock and a link to the report.

    Raises:
        BenchError: when the size was not measured.
    """
    ran = [row for row in transforms(bench) if row.size == SIZE]
    if not ran:
        raise BenchError(f"this report has no ocean of {SIZE}")
    yield "| backend | algorithm | dispatches | time | p95 | speed-up | relative error |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    fastest = min(row.median_ms or 0.0 for row in ran)
    for row in ran:
        if short and (f"{row.name} {row.options}" if row.kind == "peer" else row.name) not in SHORT:
            continue
        about = BACKENDS[row.name].summary if row.name in BACKENDS else f"{PEERS[row.name]} ({row.options})"
        name = f"**`{row.name}`**" if row.median_ms == fastest else f"`{row.name}`"
        calls = "" if row.dispatches is None else str(row.dispatches)
        speedup = (ran[0].median_ms or 0.0) / (row.median_ms or 1.0)
        gain = f"{speedup:.2f}" if speedup >= 0.1 else f"1/{1 / speedup:.0f}"
        times = f"{row.median_ms or 0.0:.4f} ms | {row.p95_ms or 0.0:.4f} ms"
        yield f"| {name} | {about} | {calls} | {times} | {gain} | {row.relative_l2:.1e} |"
    device = f"{bench.gl.renderer} (OpenGL {bench.gl.version})" if bench.gl else bench.host.cpu
    clock = CLOCKS[bench.clock] + (", CUDA events for CUDA" if any(row.kind == "peer" for row in ran) else "")
    yield ""
    yield f"{ran[0].batch} complex transforms of {SIZE} × {SIZE} on {device}, {clock}, warm: [the report]({link})."


def times(bench: Bench) -> Iterator[str]:
    """Yield a table of all medians by size, in milliseconds."""
    found: dict[str, dict[int, float]] = {}
    for row in transforms(bench):
        name = f"`{row.name}`, {row.options}" if row.kind == "peer" else f"`{row.name}`"
        found.setdefault(name, {})[row.size] = row.median_ms or 0.0
    sizes = sorted({size for by_size in found.values() for size in by_size})
    fastest = {size: min(by_size[size] for by_size in found.values() if size in by_size) for size in sizes}
    lines = []
    for name, by_size in found.items():
        shown = {size: f"**{digits(ms)}**" if ms == fastest[size] else digits(ms) for size, ms in by_size.items()}
        lines.append([name, *(shown.get(size, "") for size in sizes)])
    return iter(markdown_lines(["ms", *(f"N = {size}" for size in sizes)], lines))


def best(bench: Bench, size: int, *names: str, part: str = "transform", options: str = "") -> Row:
    """Return the fastest correct row of the workload `ocean` with one of these names."""
    rows = [row for row in bench.rows if (row.workload, row.size, row.part) == ("ocean", size, part)]
    right = [row for row in rows if row.name in names and options in row.options and row.median_ms and row.is_right]
    if not right:
        raise BenchError(f"this report has no {' or '.join(names)} at {size}, part {part}")
    return min(right, key=lambda row: row.median_ms or 0.0)


def speed(bench: Bench) -> Iterator[str]:
    """Yield a table of times beside those of libraries, copies and a CUDA pipeline, in microseconds."""
    lines = []

    def compare(what: str, row: Row, other: Row, copies: int = 1) -> None:
        ours, theirs = 1e3 * (row.median_ms or 0.0), 1e3 * copies * (other.median_ms or 0.0)
        name = f"{copies} copies" if copies > 1 else f"{other.name} {other.options}".strip()
        lines.append([what, f"{ours:.1f}", name, f"{theirs:.1f}", f"{ours / theirs:.2f}"])

    for size in SPEED_SIZES:
        compare(f"four FFTs, N = {size}", best(bench, size, BEST), best(bench, size, "cufft", "vkfft"))
    for size in SPEED_SIZES:
        compare(f"four FFTs, N = {size}", best(bench, size, BEST), best(bench, size, "copy"), copies=2)
    for size in SPEED_SIZES:
        fused = best(bench, size, "fused", part="maps", options="cascades=1")
        compare(f"h0 to maps, N = {size}", fused, best(bench, size, "pipeline", part="maps"))
    one, three = (best(bench, 512, "fused", part="maps", options=f"cascades={count}") for count in (1, 3))
    compare("h0 to maps of three cascades, N = 512", three, one)
    compare("four FFTs, N = 1024", best(bench, 1024, BEST), best(bench, 1024, DISSERTATION))
    return iter(markdown_lines(["what", "µs", "", "µs", "ratio"], lines))


def bandwidth(bench: Bench) -> Iterator[str]:
    """Yield a table of the bytes moved for each texel, and of the bandwidth."""
    kinds = {
        "four FFTs, separate": ("32 + 32", "32 + 32", BEST, "transform", ""),
        "fused": ("12 + 32", "32 + 32", "fused", "maps", "cascades=1"),
        "one copy": ("32", "32", "copy", "transform", ""),
    }
    lines = []
    for what, (reads, writes, name, part, options) in kinds.items():
        rows = [best(bench, size, name, part=part, options=options) for size in SPEED_SIZES]
        lines.append([what, reads, writes, *(f"{row.gb_per_s or 0.0:,.0f} GB/s" for row in rows)])
    return iter(markdown_lines(["", "reads", "writes", *(f"N = {size}" for size in SPEED_SIZES)], lines))


def with_table(text: str, name: str, lines: Iterator[str]) -> str:
    """Return a text with new lines between the marks of a table.

    Raises:
        BenchError: when the text lacks the marks.
    """
    marks = re.compile(rf"(<!-- {name}(?: \S+)? -->\n).*?(\n<!-- /{name} -->)", re.DOTALL)
    made = "\n".join(lines)
    changed, count = marks.subn(lambda found: found[1] + made + found[2], text)
    if count != 1:
        raise BenchError(f"there are no marks <!-- {name} --> and <!-- /{name} -->")
    return changed


def pages(report: Path | None = None) -> dict[Path, str]:
    """Return the three pages with tables of a report, by default of the one that the README names.

    Raises:
        BenchError: when a page lacks marks, or the report can't be read or lacks rows.
    """
    mark = re.compile(r"<!-- backend-table (\S+) -->")
    readme, page, speeds = (file.read_text(encoding="utf-8") for file in (README, TIMES, SPEED))
    if report:
        readme = mark.sub(f"<!-- backend-table {report.resolve().relative_to(ROOT).as_posix()} -->", readme)
    found = mark.search(readme)
    if not found:
        raise BenchError("the README has no mark <!-- backend-table REPORT -->")
    bench, link = Bench.read(ROOT / found[1]), found[1]
    page = with_table(page, "backend-table", backends(bench, f"../{link.removeprefix('docs/')}"))
    speeds = with_table(speeds, "speed-table", speed(bench))
    return {
        README: with_table(readme, "backend-table", backends(bench, link, short=True)),
        TIMES: with_table(page, "time-table", times(bench)),
        SPEED: with_table(speeds, "bandwidth-table", bandwidth(bench)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the tables of measured transforms from a report.")
    parser.add_argument("report", type=Path, nargs="?")
    try:
        for path, text in pages(parser.parse_args().report).items():
            path.write_text(text, encoding="utf-8")
    except (BenchError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
