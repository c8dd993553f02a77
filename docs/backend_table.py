"""Makes the README's table of backends from a bench:

python -m docs.backend_table docs/measurements/DEVICE-DATE/bench-ocean/bench.json --size 512
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from ocean.bench.rows import Bench, BenchError, Row, read_json
from ocean.fft import BACKENDS

README = Path(__file__).parent.parent / "README.md"
BEGIN, END = "<!-- backend-table -->\n", "<!-- /backend-table -->"
HEADINGS = ("backend", "algorithm", "dispatches", "time", "p95", "speed-up", "relative error")
PEERS = {
    "cufft": "cuFFT through CuPy",
    "vkfft": "VkFFT through pyvkfft",
    "pipeline": "a CUDA kernel for the spectrum, then cuFFT",
    "cuda-cooley-tukey": "the dissertation's kernel in CUDA, on surfaces",
    "cuda-stockham-radix2": "likewise",
    "cuda-stockham-radix4": "likewise",
}


def lines(bench: Bench, size: int) -> Iterator[str]:
    """The table of the workload `ocean` at one size.

    Raises:
        BenchError: when it was not measured.
    """
    rows = [
        row for row in bench.rows if (row.workload, row.size) == ("ocean", size) and row.kind in ("backend", "peer")
    ]
    ran = [row for row in rows if row.median_ms and row.is_right and row.name != "auto"]
    if not ran:
        raise BenchError(f"this bench has no ocean of {size}")
    yield f"| {' | '.join(HEADINGS)} |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for row in ran:
        yield line(row, (ran[0].median_ms or 0.0) / (row.median_ms or 1.0))


def line(row: Row, speedup: float) -> str:
    """A backend or a peer."""
    about = BACKENDS[row.name].summary if row.name in BACKENDS else f"{PEERS[row.name]} ({row.options})"
    name = f"**`{row.name}`**" if row.winner else f"`{row.name}`"
    calls = "" if row.dispatches is None else str(row.dispatches)
    times = (f"{value or 0.0:.4f} ms" for value in (row.median_ms, row.p95_ms))
    return f"| {name} | {about} | {calls} | {' | '.join(times)} | {speedup:.2f} | {row.relative_l2:.1e} |"


def with_table(text: str, bench: Bench, size: int) -> str:
    """A text with the table between its marks."""
    before, _, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise BenchError(f"there are no marks {BEGIN.strip()} and {END}")
    return before + BEGIN + "\n".join(lines(bench, size)) + "\n" + end + after


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the README's table of backends from a bench.")
    parser.add_argument("bench", type=Path)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--readme", type=Path, default=README)
    chosen = parser.parse_args()
    try:
        made = with_table(chosen.readme.read_text(encoding="utf-8"), read_json(chosen.bench), chosen.size)
    except BenchError as error:
        parser.error(str(error))
    chosen.readme.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
