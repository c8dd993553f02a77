"""The direct sum: it transforms every size to 512 and names this range in refusals."""

from itertools import product

import numpy as np
import pytest

from ocean import fft
from ocean.fft.textbook import LONGEST
from tests.messages import naming

from .samples import few

SOME_SIZES = (*range(2, 18), 45, 60, 97, 125, 240)
TOLERANCE = 1e-6


def check(ctx, size, twiddles):
    rng = np.random.default_rng(size)
    x = (rng.standard_normal((2, size, size)) + 1j * rng.standard_normal((2, size, size))).astype("c8")
    for inverse in (False, True):
        result = fft.transform(ctx, x, "dft", inverse, options={"twiddles": twiddles})
        expected = np.fft.ifft2(x.astype("c16"), norm="forward") if inverse else np.fft.fft2(x.astype("c16"))
        assert np.linalg.norm(result - expected) < TOLERANCE * np.linalg.norm(expected)


@pytest.mark.parametrize(("size", "twiddles"), few(product(SOME_SIZES, ["computed", "table"])))
def test_any_size_is_transformed(ctx, size, twiddles):
    check(ctx, size, twiddles)


@pytest.mark.slow
@pytest.mark.parametrize("size", range(2, LONGEST + 1))
def test_every_size_is_transformed(ctx, size):
    check(ctx, size, "computed")


@pytest.mark.parametrize("size", [1, 513])
def test_other_sizes_are_refused_with_the_range(ctx, size):
    with pytest.raises(ValueError, match=naming("2 512", size)):
        fft.transform(ctx, np.zeros((size, size)), "dft")


def test_a_constant_becomes_its_sum(ctx):
    """Rounding errors of a long sum are largest if all terms have the same sign."""
    result = fft.transform(ctx, np.full((251, 251), 0.1, "f4"), "dft")
    expected = np.float64(np.float32(0.1)) * 251 * 251
    assert abs(result[0, 0] - expected) < 1e-6 * expected
    result[0, 0] = 0
    assert np.abs(result).max() < 1e-6 * expected
