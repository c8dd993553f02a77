"""Lines beyond shared memory: how they are divided, how many passes they take, and their results."""

import pytest

from ocean import fft
from ocean.fft.four_step import split
from tests.messages import unnamed

from ..marks import slow
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


LINES = [  # size, options, fields of a texel, lines
    *((size, {}, 1, 1) for size in (1 << 14, 3**8, 2 * 5 * 7 * 11 * 13)),
    *(slow(size, {}, 1, 1) for size in (1 << 20, 1 << 24, 10**6, 3**14)),
    (1 << 13, {"longest": 64}, 2, 1),  # more than two passes
    *((1 << 18, {"twiddles": twiddles}, 1, 1) for twiddles in ("computed", "table")),  # beyond any table
    *(pytest.param(1024, *case.values, 2, 3, marks=case.marks) for case in few(every_value("four-step"))),
    *(slow(4096, options, 2, 3) for options in every_value("four-step")),
]


@pytest.mark.parametrize(("size", "options", "packed", "lines"), LINES)
def test_long_lines_are_right(ctx, size, options, packed, lines):
    """The test counts the passes, too."""
    plan = check(ctx, "four-step", buffers(ctx, lines, size, packed=packed), options, (fft.ROWS,))
    (transform,) = plan.transforms
    assert transform.dispatches == len(split(size, transform.options.longest))
    assert transform.bytes_moved == 2 * transform.fields.bytes * transform.dispatches


def test_other_sizes_are_refused(ctx):
    assert unnamed(fft.obstacle(ctx, "four-step", 2 * BEYOND), PRIMES, 2 * BEYOND) == []
