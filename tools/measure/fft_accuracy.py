"""Errors of round trips by the method of Govindaraju et al., and a report of the errors on this GPU:

    python -m tools.measure.fft_accuracy --out docs/measurements/DEVICE-DATE/accuracy.json

Lines of uniformly distributed numbers are transformed forward and back. Half of the difference from the input is the
error of one transform, since two transforms cause it (Govindaraju et al. 2008, section VI.A and figure 17). The report
has the root mean square and the largest magnitude of the error for four families of sizes and every backend that runs
them.
"""

from dataclasses import asdict, dataclass
from math import sqrt

import moderngl
import numpy as np

from ocean import fft
from ocean.gpu.context import create_headless_context
from tools.measure.reports import report_parser, write_report

SAMPLES = 1 << 14  # numbers of a measurement, which has at least two lines


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


def main() -> None:
    out = report_parser(__doc__).parse_args().out
    ctx = create_headless_context()
    rows = [
        measure(ctx, backend, family, size)
        for backend in fft.BACKENDS
        for family, sizes in FAMILIES.items()
        for size in sizes
        if fft.obstacle(ctx, backend, size) is None
    ]
    unit = "of numbers whose real and imaginary parts are uniform between -1/2 and 1/2; halved round trips"
    write_report(out, ctx.info, unit=unit, errors=[asdict(row) for row in rows])
    worst = max(rows, key=lambda row: row.rmse)
    print(f"{out}: {len(rows)} errors, the worst {worst.rmse:.1e} by {worst.backend} at {worst.size}")


if __name__ == "__main__":
    main()
