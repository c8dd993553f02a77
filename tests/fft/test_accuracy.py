"""Round trips of uniform numbers, in four families of sizes: errors stay within bounds that follow from how errors
grow."""

from math import log, log2, sqrt

import pytest

from ocean import fft
from ocean.fft.bluestein import Bluestein
from ocean.fft.four_step import FourStep
from tools.measure.fft_accuracy import FAMILIES, SAMPLES, measure

from .samples import LEAST, few

STAGE_ERROR = 1.1 * 2.0**-24  # relative error of a radix-2 stage or equal work: see `bounds`

FEW = [
    *((backend, "2^n", size) for backend in fft.BACKENDS for size in (16, 64)),
    *(("four-step", "2^n", size) for size in (4096, 1 << 16)),
    *(("stockham-registers", "2^i 3^j 5^k", size) for size in (15, 240, 1000)),
    *(("auto", "2^i 3^j 5^k", size) for size in (96, 10800)),
    *(("bluestein", "2^i 3^j 5^k", size) for size in (60, 1000)),
    *(("dft", "small primes", size) for size in (3, 127)),
    *(("bluestein", "small primes", size) for size in (3, 17, 127)),
    *(("auto", "large primes", size) for size in (251, 2039, 16381)),
]


def bounds(backend, size):
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


def check(ctx, backend, family, size):
    error = measure(ctx, backend, family, size)
    rmse, largest = bounds(fft.BACKENDS[backend], size)
    assert 0 < error.rmse <= rmse
    assert error.rmse <= error.largest <= largest


@pytest.mark.parametrize(("backend", "family", "size"), few(FEW))
def test_errors_of_round_trips_are_within_bounds(ctx, backend, family, size):
    assert size in FAMILIES[family]
    check(ctx, backend, family, size)


def able(limits):
    """Return the triples of backend, family and size that run on a GPU of these limits."""
    return [
        (name, family, size)
        for name, backend in fft.BACKENDS.items()
        for family, sizes in FAMILIES.items()
        for size in sizes
        if backend.obstacle(limits, size, backend.Options()) is None
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "family", "size"), able(LEAST))
def test_errors_of_every_round_trip_are_within_bounds(ctx, backend, family, size):
    check(ctx, backend, family, size)
