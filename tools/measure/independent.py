"""Times of transforms in a plain loop between two `finish`, measured without the bench and compared with its rows.

python -m tools.measure.independent docs/measurements/DEVICE-DATE/ocean/bench.json

A row is BACKEND@SIZE of the workload `ocean`, with the backend's default options. The script prints the comparison and
writes it beside the report as independent.json. The exit status is 1 if a time differs by more than 5 %. The loop on a
GPU goes by the wall clock, which agrees with the GPU's clock if a transform takes longer than Python takes to submit
the next one.
"""

import argparse
import json
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import moderngl
import numpy as np

from ocean import fft
from ocean.bench.rows import Bench, BenchError, Row
from ocean.common.facts import program_facts
from ocean.gpu.context import create_headless_context, is_software

ROWS = ("stockham-radix4@1024", "stockham-registers@2048", "stockham-shared@2048")
"""Three kernels, at sizes whose transform takes longer on the GPU than Python takes to submit the next."""
LOOP, SOFTWARE_LOOP, SOFTWARE_SECONDS = 1000, 50, 2.0
"""Transforms in a loop. A software renderer runs those that fit into SOFTWARE_SECONDS, from SOFTWARE_LOOP to LOOP."""
LOOPS = 3
"""Number of loops. Their median counts, since a shared machine is slow at times."""
WARM_SECONDS = 1.0
AGREEMENT = 0.05
RESULT = "independent.json"


@dataclass(frozen=True)
class Comparison:
    """The time of a transform in a row and in the loop [ms]."""

    backend: str
    size: int
    bench_ms: float
    loop_ms: float
    transforms: int  # in the loop

    @property
    def difference(self) -> float:
        """Return the difference between loop and bench, as a share."""
        return self.loop_ms / self.bench_ms - 1

    @property
    def agrees(self) -> bool:
        return abs(self.difference) <= AGREEMENT

    def __str__(self) -> str:
        verdict = f"agree within {AGREEMENT:.0%}" if self.agrees else "DO NOT AGREE"
        return (
            f"{self.backend} at {self.size}: bench {self.bench_ms:.4f} ms, loop of {self.transforms} "
            f"{self.loop_ms:.4f} ms, {self.difference:+.1%}: they {verdict}"
        )


def rows_of(bench: Bench, wanted: Sequence[str], exactly: bool) -> list[Row]:
    """Return the wanted rows. Unless `exactly` is set, the next smaller size replaces a size that was not measured.

    Raises: BenchError: if the bench has no such row.
    """
    able = [row for row in bench.rows if (row.workload, row.part, row.options) == ("ocean", "transform", "")]
    found = []
    for one in wanted:
        named = re.fullmatch(r"([a-z0-9-]+)@(\d+)", one)
        if named is None:
            raise BenchError(f"{one} is not BACKEND@SIZE")
        backend, size = named[1], int(named[2])
        measured = [row for row in able if row.name == backend and row.kind == "backend" and row.median_ms]
        fitting = [row for row in measured if row.size == size or (not exactly and row.size < size)]
        if not fitting:
            raise BenchError(f"this report has no ocean of {size} by {backend}")
        found.append(max(fitting, key=lambda row: row.size))
    return found


def loop_ms(ctx: moderngl.Context, row: Row, loop: int) -> tuple[float, int]:
    """Return the milliseconds of one warm transform of the row, and the number of transforms in the loop."""
    layers = fft.FieldLayers(ctx, row.size, row.batch // 2)
    plan = fft.plan(ctx, row.name, layers, scale=1 / row.size)
    layers.write(np.random.default_rng(1).standard_normal((row.batch, row.size, row.size)).astype(np.complex64))
    try:
        start, runs = time.perf_counter(), 0
        while (spent := time.perf_counter() - start) < WARM_SECONDS:
            plan.inverse()
            ctx.finish()
            runs += 1
        count = min(loop, max(SOFTWARE_LOOP, int(SOFTWARE_SECONDS * runs / spent))) if is_software(ctx) else loop
        seconds = []
        for _ in range(LOOPS):
            ctx.finish()
            start = time.perf_counter()
            for _ in range(count):
                plan.inverse()
            ctx.finish()
            seconds.append(time.perf_counter() - start)
        return median(seconds) * 1e3 / count, count
    finally:
        plan.release()
        layers.release()


def compare(bench: Bench, rows: Sequence[Row], loop: int) -> tuple[dict[str, str], list[Comparison]]:
    """Return device and driver, and a comparison of each row.

    Raises: BenchError: if the report is of another device or driver.
    """
    ctx = create_headless_context()
    try:
        device = {"renderer": str(ctx.info["GL_RENDERER"]), "version": str(ctx.info["GL_VERSION"])}
        there = {"renderer": bench.gl.renderer, "version": bench.gl.version} if bench.gl else {}
        if device != there:
            raise BenchError(
                f"the report is of {' '.join(there.values()) or 'no GPU'}, not {' '.join(device.values())}"
            )
        return device, [Comparison(row.name, row.size, row.median_ms or 0.0, *loop_ms(ctx, row, loop)) for row in rows]
    finally:
        ctx.release()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare rows of a bench with a loop of transforms.")
    parser.add_argument("report", type=Path, help="bench.json with the workload ocean")
    parser.add_argument("--rows", help=f"BACKEND@SIZE,... instead of {','.join(ROWS)} or the nearest below")
    parser.add_argument("--loop", type=int, default=LOOP, help=f"transforms of a loop, {LOOP} by default")
    chosen = parser.parse_args(arguments)
    if chosen.loop < 1:
        parser.error(f"--loop = {chosen.loop} is not 1 or more")
    try:
        bench = Bench.read(chosen.report)
        rows = rows_of(bench, chosen.rows.split(",") if chosen.rows else ROWS, exactly=bool(chosen.rows))
        device, found = compare(bench, rows, chosen.loop)
    except BenchError as error:
        parser.error(str(error))
    print(" ".join(device.values()), *found, sep="\n")
    lines = [asdict(one) | {"difference": one.difference, "agrees": one.agrees} for one in found]
    result = {**device, "commit": program_facts().git_commit, "bench_clock": bench.clock, "rows": lines}
    chosen.report.with_name(RESULT).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0 if all(one.agrees for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
