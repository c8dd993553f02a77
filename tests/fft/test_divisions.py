"""Divisions of a line into radices and among the invocations of a work group; without a GPU."""

from itertools import product

import pytest

from ocean import fft
from ocean.fft.options import RegisterOptions
from ocean.fft.registers import ODD_RADICES, divide, factors

from .samples import BEYOND, EVEN_RADICES, SMOOTH


def test_factors_divide_a_length():
    assert factors(1) == ()
    assert factors(2 * BEYOND) is None
    assert factors(143) == (13, 11)
    assert factors(1260, 4) == (7, 5, 3, 3, 4)
    assert factors(128, 8) == (8, 8, 2)
    assert factors(128, 8, "rising") == (2, 8, 8)
    assert factors(128, 8, "level") == (8, 4, 4)
    assert factors(1024, 16, "level") == (16, 8, 8)
    assert factors(3 * 32, 16, "rising") == (3, 2, 16)


def test_powers_of_two_have_a_default_division():
    """The division has radices, an exchange, and padding by the stride of the first stage."""
    expected = {
        256: ((8, 8, 4), 2, 8),
        512: ((8, 8, 8), 2, 8),
        1024: ((8, 8, 8, 2), 2, 8),
        2048: ((8, 8, 8, 4), 2, 8),
        4096: ((8,) * 4, 2, 0),
    }
    for size, (radices, parts, padding) in expected.items():
        division = divide(size, fft.ROWS, RegisterOptions())
        assert (division.radices, division.parts, division.padding) == (radices, parts, padding)


@pytest.mark.parametrize("radix", EVEN_RADICES)
def test_divisions_cover_the_line_within_opengl_s_limits(radix):
    for size in [*SMOOTH, 2048]:
        for axis, element_bytes in product((fft.ROWS, fft.COLUMNS), (8, 16)):
            division = divide(size, axis, RegisterOptions(radix=radix), element_bytes)
            assert division.size == size
            assert set(division.radices) <= {*ODD_RADICES, *EVEN_RADICES[: EVEN_RADICES.index(radix) + 1]}
            assert division.threads * max(division.radices) == size
            assert division.group_threads <= 1024
            assert division.shared_bytes <= 32768
            assert division.elements <= 32  # 17 x 16: two radix-16 butterflies in each invocation


@pytest.mark.parametrize("radix", EVEN_RADICES)
@pytest.mark.parametrize("butterflies", [1, 2, 4])
def test_an_invocation_computes_the_requested_number_of_butterflies(radix, butterflies):
    """An invocation makes fewer if it would otherwise hold more than 64 elements."""
    for size in (*SMOOTH, 512, 2048):
        division = divide(size, fft.ROWS, RegisterOptions(radix=radix, butterflies=butterflies))
        assert division.elements <= 64
        if size >= radix * butterflies and size & (size - 1) == 0:
            assert division.elements == division.size // division.threads == radix * butterflies
