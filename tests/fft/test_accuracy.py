"""Round trips of uniform numbers, in four families of sizes: errors stay within bounds that follow from how errors
grow."""

import pytest

from ocean import fft
from tools.measure.fft_accuracy import FAMILIES, bounds, measure

from .samples import LEAST, few

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


@pytest.mark.parametrize("size", [251, 1 << 10])
def test_bounds_are_tighter_than_the_documented_accuracy(size):
    rmse, _ = bounds(fft.BACKENDS["auto"], size)
    assert rmse < 1e-6 * (2 / 12) ** 0.5
