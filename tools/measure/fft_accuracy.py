"""Errors of round trips by the method of Govindaraju et al., and a report of the errors on this GPU:

    python -m tools.measure.fft_accuracy --out docs/measurements/DEVICE-DATE/accuracy.json

Lines of uniformly distributed numbers are transformed forward and back. Half of the difference from the input is the
error of one transform, since two transforms cause it (Govindaraju et al. 2008, section VI.A and figure 17). The report
has the root mean square and the largest magnitude of the error for four families of sizes and every backend that runs
them.
"""

import argparse
from dataclasses import asdict, dataclass
from math import log, log2, sqrt
from pathlib import Path
from typing import Any

import moderngl
import numpy as np

from ocean import fft
from ocean.fft.bluestein import Bluestein
from ocean.fft.contract import AxisTransform
from ocean.fft.four_step import FourStep
from ocean.gpu.context import create_headless_context
from tools.measure.reports import write_report

SAMPLES = 1 << 14  # numbers of a measurement, which has at least two lines
STAGE_ERROR = 1.1 * 2.0**-24  # relative error of a radix-2 stage or equal work: see `bounds`


def largest_prime(limit: int) -> int:
    return next(n for n in range(limit, 1, -1) if all(n % divisor for divisor in range(2, int(sqrt(n)) + 1)))


FAMILIES: dict[str, tuple[int, ...]] = {
    "2^n": tuple(2**n for n in range(4, 21)),
    "2^i 3^j 5^k": (15, 60, 96, 240, 375, 720, 1000, 1080, 2025, 3600, 6000, 10800, 30375, 81000, 250000, 1000000),
    "small primes": (3, 5, 7, 11, 13, 17, 31, 61, 97, 127),
    "large primes": tuple(largest_prime(2**n) for n in range(8, 20)),
}


@dataclass(frozen=True)
class Error:
    """The error of one transform, in units of numbers whose parts are uniform between -1/2 and 1/2."""

    backend: str
    family: str
    size: int
    rmse: float
    largest: float


def measure(ctx: moderngl.Context, backend: str, family: str, size: int) -> Error:
    """Transform fresh lines forward and back, and return the error."""
    lines = max(2, SAMPLES // size)
    rng = np.random.default_rng()
    x = (rng.uniform(-0.5, 0.5, (lines, size)) + 1j * rng.uniform(-0.5, 0.5, (lines, size))).astype(np.complex64)
    there = fft.fft(ctx, x, backend)
    difference = np.abs(fft.ifft(ctx, there, backend).astype(np.complex128) - x) / 2
    return Error(backend, family, size, float(np.sqrt(np.mean(difference**2))), float(difference.max()))


def bounds(backend: type[AxisTransform[Any]], size: int) -> tuple[float, float]:
    """Return the limits of the root mean square error and of the largest error.

    Rounding changes a number by a relative error of at most u = 2^-24, and of e = 0.42 u in root mean square: the mean
    of 1 / m² over mantissas m from 1 to 2 with uniform logarithms is 0.54. In units of e², the variance of a sum is 1,
    of a product with a root 2, and of a root, rounded once, 1. A radix-2 stage has a sum for each element and a product
    for every other element: 1 + (2 + 1) / 2, so 0.67 u. A radix-4 stage does the work of two radix-2 stages with three
    products for four elements. If two of its three roots are the square and the cube of the first, they have the
    variances 1, 4 + 2 and 9 + 4: that is 4.25 for a radix-2 stage, 0.87 u. STAGE_ERROR is a quarter more, for numbers
    with other distributions. Stages are independent, so the root mean square error of a transform is sqrt(log2 N) times
    STAGE_ERROR, and that of two transforms sqrt(2) times as large; half of it is reported. Bluestein's algorithm has
    two transforms of its padded length and three products. A direct sum has N terms in runs of 16: 16 + N / 16
    roundings of partial sums, whose squares add up to less than those of 16 + N / 16 stages.

    An error is a sum of many errors, so its magnitude exceeds t times the root mean square with the probability
    e^{-t²}. The largest of K samples exceeds sqrt(log K) + 3 times the root mean square with a probability below one in
    a thousand.
    """
    if backend is Bluestein or FourStep.size_obstacle(size):
        stages = 2 * log2(Bluestein.length(size)) + 3
    else:
        stages = log2(size)
    if backend is fft.BACKENDS["dft"]:
        stages = 16 + size / 16
    rms = sqrt(2 / 12)  # root mean square of the numbers
    rmse = STAGE_ERROR * sqrt(stages) * rms * sqrt(2) / 2
    return rmse, rmse * (sqrt(log(max(2 * size, SAMPLES))) + 3)


def measure_all(ctx: moderngl.Context) -> list[Error]:
    return [
        measure(ctx, backend, family, size)
        for backend in fft.BACKENDS
        for family, sizes in FAMILIES.items()
        for size in sizes
        if fft.obstacle(ctx, backend, size) is None
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the errors of all FFT backends on this GPU.")
    parser.add_argument("--out", type=Path, required=True, help="the JSON file to write")
    out: Path = parser.parse_args().out
    ctx = create_headless_context()
    rows = measure_all(ctx)
    unit = "of numbers whose real and imaginary parts are uniform between -1/2 and 1/2; halved round trips"
    write_report(out, "fft_accuracy", ctx.info, unit=unit, errors=[asdict(row) for row in rows])
    worst = max(rows, key=lambda row: row.rmse)
    print(f"{out}: {len(rows)} errors, the worst {worst.rmse:.1e} by {worst.backend} at {worst.size}")


if __name__ == "__main__":
    main()
