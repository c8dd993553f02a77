"""Bluestein's transform: every size, and the accuracy of its angles."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from ocean import fft
from ocean.fft.backends import name_of
from ocean.fft.bluestein import Bluestein, chirp, padded_length
from ocean.fft.options import FFTError
from ocean.gpu.context import limits
from tests.messages import naming, unnamed

from .samples import LEAST, buffers, check, check_rows, every_value, few, images, noise, relative_error


def test_exact_angles_are_more_accurate_than_naive_ones(ctx):
    x = noise(97, 97)
    exact, naive = (fft.transform(ctx, x, "bluestein", options={"angles": angles}) for angles in ("exact", "naive"))
    expected = np.fft.fft2(x.astype("c16"))
    assert relative_error(naive, expected) > 10 * relative_error(exact, expected)


@pytest.mark.parametrize("size", [2, 7, 1000, 65537])
def test_the_chirp_is_exact_and_the_naive_one_is_not(size):
    wave = chirp(size)
    for j in {0, 1, size // 2, size - 1}:
        turns = (j * j % (2 * size)) / (2 * size)  # Python's integers are exact
        assert wave[j] == pytest.approx(np.exp(2j * np.pi * turns), abs=1e-14)
    if size >= 1000:
        assert np.abs(chirp(size, is_exact=False) - wave).max() > 1e-5


@pytest.mark.parametrize(
    ("size", "length"), [(3, 2), (5, 4), (31, 30), (97, 96), (1153, 1152), (2, 4), (45, 128), (509, 1024), (577, 576)]
)
def test_primes_take_a_convolution_without_padding(ctx, size, length):
    """Rader's; lengths that are not prime, or whose predecessor has a large prime factor, take the chirp."""
    options = {"convolution": "rader"}
    plan = check(ctx, "bluestein", images(ctx, size, 2), options, axes=(fft.COLUMNS,))
    check_rows(ctx, "bluestein", size, options, lines=5)
    assert plan.transforms[0].division.size == length


@pytest.mark.parametrize(
    ("make", "axis"),
    [
        (images, fft.ROWS),
        (buffers, fft.ROWS),
        (partial(buffers, packed=1, double=True), fft.ROWS),
        (buffers, fft.COLUMNS),
    ],
)
def test_long_lines_go_through_memory(ctx, make, axis):
    """The length 5003 is a prime. The convolution goes through memory, on either storage and in either precision."""
    shape = (3, 5003) if axis == fft.ROWS else (5003, 3)
    plan = check(ctx, "bluestein", make(ctx, *shape), axes=(axis,))
    assert plan.transforms[0].dispatches > 3
    assert name_of(plan.transforms[0].backend) == "bluestein"


@pytest.mark.parametrize("axis", [fft.ROWS, fft.COLUMNS])
@pytest.mark.parametrize("lines", [2, 5])  # full batches, and a partly filled one
def test_padded_lines_beyond_a_buffer_go_in_batches(ctx, monkeypatch, axis, lines):
    room = lines * padded_length(5003) * 2 * 16
    monkeypatch.setattr("ocean.fft.bluestein.limits", lambda ctx: replace(limits(ctx), storage_bytes=room))
    shape = (12, 5003) if axis == fft.ROWS else (5003, 12)
    (one,) = check(ctx, "bluestein", buffers(ctx, *shape, layers=2), axes=(axis,)).transforms
    assert one.own_bytes < 2 * room + 2**20
    assert one.dispatches == -(-12 // lines) * (3 + 2 * one.inner.dispatches)


@pytest.mark.parametrize(("what", "needed"), [("padded", padded_length(5003)), ("chirp", padded_length(5003) + 5003)])
def test_a_padded_line_or_a_chirp_beyond_a_buffer_is_refused(ctx, releasing, monkeypatch, what, needed):
    monkeypatch.setattr("ocean.fft.bluestein.limits", lambda ctx: replace(limits(ctx), storage_bytes=needed * 8 - 1))
    fields = releasing(fft.FieldBuffers(ctx, (4, 5003), 1, 1))
    with pytest.raises(FFTError, match=naming(what, needed * 8, "bytes")):
        fft.plan(ctx, "bluestein", fields, axes=(fft.ROWS,))


def test_options_that_ask_too_much_of_the_padded_lines_are_refused():
    options = Bluestein.Options(lines=8, exchange="vec4", padding="padded")
    reason = "needs 36 KiB of shared memory at 256; this GPU has 32"
    assert Bluestein.obstacle(LEAST, 1 << 14, options) == reason


@pytest.mark.parametrize("options", few(every_value("bluestein")))
@pytest.mark.parametrize(
    ("size", "rows"), [(13, 5), *(pytest.param(*case, marks=pytest.mark.slow) for case in ((61, 5), (5003, 2)))]
)
def test_options_work_at_primes(ctx, size, rows, options):
    """The transform runs in one dispatch whose rows do not fill their groups, and through memory."""
    check_rows(ctx, "bluestein", size, options, rows)


def test_an_empty_line_is_refused(ctx):
    assert unnamed(fft.obstacle(ctx, "bluestein", 0), "one element") == []


def test_every_size_to_2048_fits_a_work_group_that_opengl_guarantees():
    for size in range(1, 2049):
        assert Bluestein.group_obstacle(LEAST, size, Bluestein.Options()) is None


@pytest.mark.parametrize("size", [3, 4097, 5003, 8192, 65537])
def test_long_lines_are_padded_by_a_fifth_at_most(size):
    length = padded_length(size)
    assert 2 * size - 1 <= length < 1.2 * (2 * size - 1) or length <= 16
    assert fft.BACKENDS["four-step"].size_obstacle(length) is None
