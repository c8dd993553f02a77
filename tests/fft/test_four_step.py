"""Lines beyond shared memory: how they are divided, how many passes they take, and their results."""

import pytest

from ocean import fft
from ocean.fft.four_step import split
from tests.messages import unnamed

from .samples import BEYOND, PRIMES, buffers, check, every_value, few


@pytest.mark.parametrize(
    ("size", "longest", "lengths"),
    [
        (1, 1024, ()),
        (7, 1024, (7,)),
        (64, 1024, (8, 8)),
        (2048, 1024, (64, 32)),
        (8192, 1024, (128, 64)),
        (8192, 64, (32, 16, 16)),
        (1 << 20, 1024, (1024, 1024)),
        (1 << 24, 1024, (256, 256, 256)),
        (1 << 20, 256, (128, 128, 64)),
        (30030, 1024, (182, 165)),
        (21600, 256, (150, 144)),
    ],
)
def test_passes_are_few_and_even(size, longest, lengths):
    assert sorted(split(size, longest), reverse=True) == list(lengths)


def check_line(ctx, size, options=None, packed=1, lines=1):
    """Compare one line or several in a buffer with numpy, and count the passes."""
    plan = check(ctx, "four-step", buffers(ctx, lines, size, packed=packed), options, (fft.ROWS,))
    (transform,) = plan.transforms
    assert transform.dispatches == len(split(size, transform.options.longest))
    assert transform.bytes_moved == 2 * transform.fields.bytes * transform.dispatches


@pytest.mark.parametrize("size", [1 << 14, 3**8, 2 * 5 * 7 * 11 * 13])
def test_long_lines_are_right(ctx, size):
    check_line(ctx, size)


def test_lines_are_right_in_more_than_two_passes(ctx):
    check_line(ctx, 1 << 13, {"longest": 64}, packed=2)


@pytest.mark.parametrize("options", few(every_value("four-step")))
@pytest.mark.parametrize("size", [1024, pytest.param(4096, marks=pytest.mark.slow)])
def test_options_work_at_a_long_line(ctx, size, options):
    check_line(ctx, size, options, packed=2, lines=3)


@pytest.mark.parametrize("twiddles", ["computed", "table"])
def test_roots_are_right_for_lines_beyond_any_table(ctx, twiddles):
    check_line(ctx, 1 << 18, {"twiddles": twiddles})


@pytest.mark.slow
@pytest.mark.parametrize("size", [1 << 20, 1 << 24, 10**6, 3**14])
def test_very_long_lines_are_right(ctx, size):
    check_line(ctx, size)


def test_other_sizes_are_refused(ctx):
    assert unnamed(fft.obstacle(ctx, "four-step", 2 * BEYOND), PRIMES, 2 * BEYOND) == []
