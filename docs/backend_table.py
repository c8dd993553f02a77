"""Makes the README's table of backends from a bench, whose path then stands in the table's mark:

python -m docs.backend_table docs/measurements/DEVICE-DATE/ocean/bench.json --size 512

Without arguments the table is made again from the report that the mark names.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ocean.bench.rows import Bench, BenchError, Row, read_json
from ocean.fft import BACKENDS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
MARKED = re.compile(r"<!-- backend-table(?: (\S+) (\d+))? -->\n.*?<!-- /backend-table -->", re.DOTALL)
HEADINGS = ("backend", "algorithm", "dispatches", "time", "p95", "speed-up", "relative error")
PEERS = {
    "cufft": "cuFFT through CuPy",
    "vkfft": "VkFFT through pyvkfft",
    "cuda-cooley-tukey": "the dissertation's kernel in CUDA, on surfaces",
    "cuda-stockham-radix2": "likewise",
    "cuda-stockham-radix4": "likewise",
}
CLOCKS = {"gpu": "GPU timestamps", "wall": "wall clock"}


def lines(bench: Bench, path: str, size: int) -> Iterator[str]:
    """The table of the workload `ocean` at one size, and what it was measured on.

    Raises:
        BenchError: when it was not measured.
    """
    rows = (row for row in bench.rows if (row.workload, row.part, row.size) == ("ocean", "transform", size))
    ran = [row for row in rows if row.kind != "copy" and row.median_ms and row.is_right and row.name != "auto"]
    if not ran:
        raise BenchError(f"this report has no ocean of {size}")
    yield f"| {' | '.join(HEADINGS)} |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    fastest = min(row.median_ms or 0.0 for row in ran)
    for row in ran:
        yield line(row, (ran[0].median_ms or 0.0) / (row.median_ms or 1.0), row.median_ms == fastest)
    device = f"{bench.gl.renderer} (OpenGL {bench.gl.version})" if bench.gl else bench.host.cpu
    clock = CLOCKS.get(bench.clock or "wall", "")
    yield ""
    clock += ", CUDA events for CUDA" if any(row.kind == "peer" for row in ran) else ""
    yield f"{ran[0].batch} complex transforms of {size} × {size} on {device}, {clock}, warm: [the report]({path})."


def line(row: Row, speedup: float, is_fastest: bool) -> str:
    """A backend or a peer."""
    about = BACKENDS[row.name].summary if row.name in BACKENDS else f"{PEERS[row.name]} ({row.options})"
    name = f"**`{row.name}`**" if is_fastest else f"`{row.name}`"
    calls = "" if row.dispatches is None else str(row.dispatches)
    times = (f"{value or 0.0:.4f} ms" for value in (row.median_ms, row.p95_ms))
    gain = f"{speedup:.2f}" if speedup >= 0.1 else f"1/{1 / speedup:.0f}"
    return f"| {name} | {about} | {calls} | {' | '.join(times)} | {gain} | {row.relative_l2:.1e} |"


def with_table(text: str, bench: Bench, path: str, size: int) -> str:
    """A text with the table between its marks."""
    made = "\n".join(lines(bench, path, size))
    marked = f"<!-- backend-table {path} {size} -->\n{made}\n<!-- /backend-table -->"
    changed, count = MARKED.subn(lambda _: marked, text)
    if count != 1:
        raise BenchError("there are no marks <!-- backend-table --> and <!-- /backend-table -->")
    return changed


def made_again(text: str) -> str:
    """A text with the table from the report that its mark names."""
    found = MARKED.search(text)
    if found is None or found[1] is None:
        raise BenchError("no mark names a report")
    return with_table(text, read_json(ROOT / found[1]), found[1], int(found[2]))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Make the README's table of backends from a report.")
    parser.add_argument("report", type=Path, nargs="?")
    parser.add_argument("--size", type=int, default=512)
    chosen = parser.parse_args(arguments)
    text = README.read_text(encoding="utf-8")
    try:
        if chosen.report is None:
            made = made_again(text)
        else:
            path = chosen.report.resolve().relative_to(ROOT).as_posix()
            made = with_table(text, read_json(chosen.report), path, chosen.size)
    except (BenchError, ValueError) as error:
        parser.error(str(error))
    README.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
