"""The copy that transforms are compared with, and the largest error of a value next to the relative L2 error."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean import fft
from ocean.fft.comparison import CopyKernel
from ocean.fft.measure import PIECE, errors
from ocean.fft.storage import FieldBuffers


@pytest.mark.parametrize(
    ("lines", "width"), [*((300, width) for width in (2, 3, 8, 13, 16, 17, 64)), (1, 4096), (2, 4096), (9, 300)]
)
def test_copies_of_short_or_few_lines_use_all_invocations(ctx, lines, width):
    """Each of the 256 invocations of a group has an element, except where lines or their width are rounded up to a
    power of two."""
    rng = np.random.default_rng()
    x = rng.standard_normal((1, lines, width, 2), np.float32).view(np.complex64)[..., 0]
    fields = FieldBuffers(ctx, (lines, width), 1, packed=1)
    plan = fft.FFTPlan((copy := CopyKernel(fields),))
    along, across = copy.group
    assert along * across == 256
    assert min(width, 16) <= along < 2 * width
    assert across < 2 * lines
    fields.write(x)
    plan.forward()
    assert (fields.read() == x).all()
    assert copy.bytes_moved == 2 * x.nbytes
    plan.release()
    fields.release()


def test_neighbours_read_elements_a_stride_apart(ctx):
    fields = FieldBuffers(ctx, (1, 64), 1, packed=1)
    plan = fft.FFTPlan((CopyKernel(fields, stride=8),))
    fields.write(np.arange(64, dtype="c8")[None, None])
    plan.forward()
    assert (fields.read().reshape(8, 8) == np.arange(64).reshape(8, 8).T).all()
    plan.release()
    fields.release()


@given(st.integers(1, 64), st.integers(0, 2**32 - 1), st.floats(1e-6, 1e6))
def test_the_largest_error_is_no_less_than_the_relative_one(count, seed, scale):
    rng = np.random.default_rng(seed)
    exact = scale * (rng.standard_normal(count) + 1j * rng.standard_normal(count))
    found = exact + 1e-3 * scale * rng.standard_normal(count)
    relative, _, _, largest, _ = errors(found, exact)
    assert largest == pytest.approx(np.abs(found - exact).max() / np.sqrt(np.mean(np.abs(exact) ** 2)))
    assert relative <= largest * (1 + 1e-12) <= relative * np.sqrt(count) * (1 + 1e-9)


def test_a_value_where_zero_is_expected_is_infinitely_wrong():
    nothing = np.zeros(4, np.complex128)
    assert errors(nothing, nothing).largest == 0
    assert errors(nothing + 1, nothing).largest == np.inf


def test_errors_in_every_piece_count():
    exact = np.ones((2, PIECE // 2 + 3), np.complex128)
    found = exact.copy()
    found[0, 0] += 0.5
    found[1, -1] += 1.0
    result = errors(found, exact)
    assert (result.wrong, result.off, result.largest, result.largest_off) == (2, 2, 1.0, 1.0)
    assert result.relative == pytest.approx(np.sqrt(1.25 / exact.size))
