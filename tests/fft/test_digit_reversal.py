"""The parts of the kernel with a digit reversal, and all of its options together."""

from itertools import product

import numpy as np
import pytest

from ocean import fft
from ocean.fft.digit_reversal import reversed_places, stage_radices

TOLERANCE = 1e-6
RADICES = (2, 4, 8)
DECIMATIONS = ("time", "frequency")
MEMORIES = ("shared", "global")
REVERSALS = ("bitfield", "loop", "table")
ROOTS = (("computed", "storage"), ("table", "storage"), ("table", "uniform"), ("table", "texture"))


def check(ctx, size, radix, decimation, memory, reversal, roots):
    twiddles, table = roots
    options = {"radix": radix, "decimation": decimation, "memory": memory, "reversal": reversal}
    options |= {"twiddles": twiddles, "table": table}
    rng = np.random.default_rng(size)
    x = (rng.standard_normal((2, size, size)) + 1j * rng.standard_normal((2, size, size))).astype("c8")
    for inverse in (False, True):
        result = fft.transform(ctx, x, "digit-reversal", inverse, options)
        expected = np.fft.ifft2(x.astype("c16"), norm="forward") if inverse else np.fft.fft2(x.astype("c16"))
        assert np.linalg.norm(result - expected) < TOLERANCE * np.linalg.norm(expected)


@pytest.mark.parametrize(("radix", "decimation", "memory"), list(product(RADICES, DECIMATIONS, MEMORIES)))
@pytest.mark.parametrize("size", [16, 32])  # radix 4 begins with 4 and 2, radix 8 with 2 and 4
def test_ways_through_the_line(ctx, size, radix, decimation, memory):
    check(ctx, size, radix, decimation, memory, "bitfield", ("computed", "storage"))


@pytest.mark.parametrize(("radix", "reversal"), list(product(RADICES, REVERSALS)))
@pytest.mark.parametrize("roots", [("table", "uniform"), ("table", "texture")])
def test_reversals_and_tables(ctx, radix, reversal, roots):
    check(ctx, 64, radix, "time", "shared", reversal, roots)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("radix", "decimation", "memory", "reversal", "roots"),
    list(product(RADICES, DECIMATIONS, MEMORIES, REVERSALS, ROOTS)),
)
@pytest.mark.parametrize("size", [32, 64, 256, 512])
def test_all_options_together(ctx, size, radix, decimation, memory, reversal, roots):
    check(ctx, size, radix, decimation, memory, reversal, roots)


def test_radices_of_the_stages():
    assert stage_radices(64, 2) == [2] * 6
    assert stage_radices(64, 4) == [4, 4, 4]
    assert stage_radices(32, 4) == [2, 4, 4]
    assert stage_radices(64, 8) == [8, 8]
    assert stage_radices(128, 8) == [2, 8, 8]
    assert stage_radices(256, 8) == [4, 8, 8]


def test_places_are_reversed_digits():
    assert reversed_places([2, 2, 2]).tolist() == [0, 4, 2, 6, 1, 5, 3, 7]
    assert reversed_places([4, 4]).tolist() == [4 * (n % 4) + n // 4 for n in range(16)]
    places = reversed_places([4, 4, 4, 4])  # of 256: 13 = 0031 in base 4 becomes 1300, 16 = 0100 becomes 0010
    assert places[[13, 14, 15, 16]].tolist() == [112, 176, 240, 4]
    for radices in ([2, 4, 4], [4, 8, 8], [2, 8]):
        assert sorted(reversed_places(radices)) == list(range(np.prod(radices)))


def test_steps_are_counted(ctx):
    layers = fft.FieldLayers(ctx, 32, 1)
    plan = fft.plan(ctx, "digit-reversal", layers, {"memory": "global", "radix": 4})
    assert plan.transforms[0].dispatches == 4  # the reversal, and stages of radix 2, 4, 4
    assert plan.transforms[0].bytes_moved == 4 * 2 * 32 * 32 * 16
    plan.release()
    layers.release()


def test_the_limits_are_those_of_its_memory():
    from ocean.gpu.context import Limits

    small = Limits(invocations=512, shared_memory=16384, groups=65535, texture_size=16384, tessellation=64)
    plan_class = fft.BACKENDS["digit-reversal"]
    options = plan_class.Options
    assert "32 KiB" in plan_class.obstacle(small, 2048, options())
    assert plan_class.obstacle(small, 2048, options(memory="global")) is None
    assert "1024 invocations" in plan_class.obstacle(small, 2048, options(memory="global", radix=2))
    assert "power of two" in plan_class.obstacle(small, 48, options())
