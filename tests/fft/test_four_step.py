"""Lines beyond shared memory: how they are divided, how many passes they take, and their results."""

from math import prod

import numpy as np
import pytest

from ocean import fft
from ocean.fft.four_step import FourStep, split
from tests.messages import unnamed

from .samples import BEYOND, PRIMES, every_value, few, noise, relative_error


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
        (30030, 1024, (195, 154)),
    ],
)
def test_passes_are_few_and_even(size, longest, lengths):
    assert sorted(split(size, longest), reverse=True) == list(lengths)


@pytest.mark.parametrize("longest", [64, 256, 1024])
def test_lengths_make_up_the_line(longest):
    for size in (2, 48, 2048, 3**9, 5 * 7 * 11 * 13, 10**6, 1 << 24):
        lengths = split(size, longest)
        assert prod(lengths) == size
        assert max(lengths) <= longest


def check_line(ctx, size, options=None, packed=1, lines=1):
    """Compare one line or several in a buffer, in both directions, with numpy in float64."""
    fields = fft.FieldBuffers(ctx, (lines, size), 1, packed)
    plan = fft.plan(ctx, "four-step", fields, options, axes=(fft.ROWS,))
    chosen = FourStep.Options(**(options or {}))
    (transform,) = plan.transforms
    assert transform.dispatches == len(split(size, chosen.longest))
    assert transform.bytes_moved == 2 * fields.bytes * transform.dispatches
    x = noise(packed, lines, size)
    limit = FourStep.error_limit(size, chosen)
    for run, norm, twin in ((plan.forward, "backward", np.fft.fft), (plan.inverse, "forward", np.fft.ifft)):
        fields.write(x)
        run()
        assert relative_error(fields.read(), twin(x.astype("c16"), norm=norm)) < limit
    plan.release()
    fields.release()


@pytest.mark.parametrize("size", [1 << 16, 3**8, 2 * 5 * 7 * 11 * 13])
def test_long_lines_are_right(ctx, size):
    check_line(ctx, size)


@pytest.mark.parametrize("longest", [64, 256])
def test_lines_are_right_in_more_than_two_passes(ctx, longest):
    check_line(ctx, 1 << 17, {"longest": longest}, packed=2)


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


@pytest.mark.slow
@pytest.mark.parametrize("size", [2048, 4096])
def test_planes_are_right(ctx, size):
    x = noise(1, size, size)
    result = fft.transform(ctx, x, "four-step")
    limit = 1e-6 if size < 4096 else 2e-6
    assert relative_error(result, np.fft.fft2(x.astype("c16"))) < limit


def test_other_sizes_are_refused(ctx):
    assert unnamed(fft.obstacle(ctx, "four-step", 2 * BEYOND), PRIMES, 2 * BEYOND) == []
