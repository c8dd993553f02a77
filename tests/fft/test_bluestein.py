"""Bluestein's transform: every size, and angles that stay exact."""

import numpy as np
import pytest

from ocean import fft
from ocean.fft.bluestein import Bluestein, chirp, chirp_spectrum, naive_chirp
from ocean.fft.contract import FFTError
from ocean.gpu.context import Limits

LIMIT = 1e-6  # relative L2
FEW_SIZES = (2, 3, 11, 31, 97, 100)
PRIMES = [n for n in range(2, 1024) if all(n % d for d in range(2, int(n**0.5) + 1))]


def noise(size):
    rng = np.random.default_rng()
    return (rng.standard_normal((2, size, size)) + 1j * rng.standard_normal((2, size, size))).astype("c8")


def errors(ctx, size, **options):
    """Relative L2 errors, forward and inverse."""
    x = noise(size)
    exact = x.astype("c16")
    for inverse, expected in ((False, np.fft.fft2(exact)), (True, np.fft.ifft2(exact, norm="forward"))):
        result = fft.transform(ctx, x, "bluestein", inverse=inverse, options=options)
        yield np.linalg.norm(result - expected) / np.linalg.norm(expected)


@pytest.mark.parametrize("size", FEW_SIZES)
def test_sizes_that_are_no_powers_of_two(ctx, size):
    assert max(errors(ctx, size)) < LIMIT


@pytest.mark.slow
@pytest.mark.parametrize("size", sorted({*range(2, 130), *PRIMES[::4], *range(130, 1025, 61), 1021, 1023, 1531, 2047}))
def test_many_sizes(ctx, size):
    assert max(errors(ctx, size)) < LIMIT


def test_naive_angles_lose_what_exact_ones_keep(ctx):
    assert min(errors(ctx, 97, angles="naive")) > 10 * max(errors(ctx, 97))


@pytest.mark.parametrize("size", [2, 7, 1000, 65537])
def test_the_chirp_is_exact_and_the_naive_one_is_not(size):
    wave = chirp(size)
    for j in {0, 1, size // 2, size - 1}:
        turns = (j * j % (2 * size)) / (2 * size)  # Python's integers
        assert wave[j] == pytest.approx(np.exp(2j * np.pi * turns), abs=1e-14)
    if size >= 1000:
        assert np.abs(naive_chirp(size) - wave).max() > 1e-5


@pytest.mark.parametrize("size", [2, 5, 8, 97])
def test_the_convolution_is_the_transform(size):
    """The algorithm itself, in float64."""
    length = Bluestein.length(size)
    assert length >= 2 * size - 1
    assert length & (length - 1) == 0
    rng = np.random.default_rng(1)
    x = rng.standard_normal(size) + 1j * rng.standard_normal(size)
    wave = chirp(size)
    product = np.fft.ifft(x * wave, length, norm="forward") * chirp_spectrum(wave, length)
    result = wave * np.fft.fft(product)[:size]
    np.testing.assert_allclose(result, np.fft.ifft(x, norm="forward"), rtol=1e-11, atol=1e-11)


def test_one_element_and_lines_beyond_shared_memory_are_refused(ctx):
    with pytest.raises(FFTError, match="at least two elements"):
        fft.transform(ctx, np.ones((1, 1)), "bluestein")
    reason = fft.obstacle(ctx, "bluestein", 20000)
    assert reason is not None
    assert "20000" in reason


def test_every_size_to_2048_fits_what_opengl_guarantees():
    least = Limits(1024, 32768, 65535, 16384, 2048, 1 << 27, 64)
    for size in (*range(2, 200), *range(200, 2049, 28)):
        assert Bluestein.obstacle(least, size, Bluestein.Options()) is None
