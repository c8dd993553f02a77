"""The kernel with a digit reversal: its parts, and all of its options together."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from ocean import fft
from ocean.fft.digit_reversal import reversed_places
from ocean.gpu.context import limits
from tests.messages import naming, unnamed

from .samples import LEAST, buffers, check, few, images

RADICES = (2, 4, 8)
DECIMATIONS = ("time", "frequency")
WHOLE_LINE = ({"memory": "shared"}, {"memory": "global"})
REVERSALS = ("bitfield", "loop", "table")
ROOTS = (
    {"twiddles": "computed"},
    *({"twiddles": "table", "table": table} for table in ("storage", "uniform", "texture")),
    {"twiddles": "native"},
)


def hybrid(group):
    return {"memory": "hybrid", "group": group}


def check_lines(ctx, size, radix, decimation, memory, reversal="bitfield", roots=ROOTS[0]):
    options = {"radix": radix, "decimation": decimation, "reversal": reversal} | memory | roots
    check(ctx, "digit-reversal", images(ctx, size), options)


@pytest.mark.parametrize(("radix", "decimation", "memory"), few(product(RADICES, DECIMATIONS, WHOLE_LINE)))
# radix 4 begins with 4 and 2, radix 8 with 2 and 4
@pytest.mark.parametrize("size", [pytest.param(16, marks=pytest.mark.slow), 32])
def test_lines_are_right_in_time_and_in_frequency(ctx, size, radix, decimation, memory):
    check_lines(ctx, size, radix, decimation, memory)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("radix", "decimation", "reversal", "roots"), list(product(RADICES, DECIMATIONS, REVERSALS, ROOTS))
)
@pytest.mark.parametrize(
    ("size", "memory"),
    [
        *product((32, 64, 256, 512), WHOLE_LINE),
        *((size, hybrid(group)) for size, group in ((128, 64), (256, 64), (512, 64), (512, 256))),
    ],
)
def test_all_options_work_together(ctx, size, memory, radix, decimation, reversal, roots):
    check_lines(ctx, size, radix, decimation, memory, reversal, roots)


@pytest.mark.parametrize(("radix", "decimation"), list(product(RADICES, DECIMATIONS)))
def test_many_groups_share_a_long_line_in_global_memory(ctx, radix, decimation):
    """Davis and Dharma transform lines that are longer than one work group in this way."""
    options = {"radix": radix, "decimation": decimation, "memory": "global", "reversal": "table", "twiddles": "table"}
    check(ctx, "digit-reversal", buffers(ctx, 1, 8192, packed=1), options, (fft.ROWS,))


def test_places_are_reversed_digits():
    assert reversed_places([2, 2, 2]).tolist() == [0, 4, 2, 6, 1, 5, 3, 7]
    assert reversed_places([4, 4]).tolist() == [4 * (n % 4) + n // 4 for n in range(16)]
    places = reversed_places([4, 4, 4, 4])  # of 256: 13 = 0031 in base 4 becomes 1300, 16 = 0100 becomes 0010
    assert places[[13, 14, 15, 16]].tolist() == [112, 176, 240, 4]
    for radices in ([2, 4, 4], [4, 8, 8], [2, 8]):
        assert sorted(reversed_places(radices)) == list(range(np.prod(radices)))


@pytest.mark.parametrize(
    ("options", "dispatches"),
    [
        ({"memory": "shared"}, 1),
        ({"memory": "global"}, 5),  # the reversal, and stages of radix 2, 4, 4, 4
        (hybrid(64), 2),  # stages that join 2, 8 or 32 neighbours fit into a group of 64; that of 128 does not
        (hybrid(64) | {"radix": 2}, 2),
        (hybrid(64) | {"radix": 8}, 2),  # 2, 16, 128
    ],
)
@pytest.mark.parametrize("decimation", DECIMATIONS)
def test_narrow_stages_share_the_dispatch_of_the_reversal(ctx, releasing, options, dispatches, decimation):
    fields = releasing(images(ctx, 3, 128))
    plan = releasing(
        fft.plan(ctx, "digit-reversal", fields, {"radix": 4, "decimation": decimation} | options, axes=(fft.ROWS,))
    )
    assert plan.transforms[0].dispatches == dispatches
    assert plan.transforms[0].bytes_moved == dispatches * 2 * fields.bytes


def test_limits_follow_from_memory():
    small = replace(LEAST, invocations=512, shared_memory=16384)
    plan_class = fft.BACKENDS["digit-reversal"]
    options = plan_class.Options
    assert "32 KiB" in plan_class.obstacle(small, 2048, options())
    assert plan_class.obstacle(small, 2048, options(memory="global")) is None
    assert plan_class.obstacle(small, 1 << 20, options(memory="global", radix=2)) is None
    assert "1024 invocations" in plan_class.obstacle(small, 2048, options(radix=2))
    assert plan_class.obstacle(small, 2048, options(memory="hybrid", radix=2, group=1024)) is None  # 512, 16 KiB
    assert unnamed(plan_class.obstacle(small, 256, options(memory="hybrid")), "group 256") == []
    assert plan_class.obstacle(small, 512, options(memory="hybrid")) is None
    assert "power of two" in plan_class.obstacle(small, 48, options())


@pytest.mark.parametrize(("table", "longest"), [("uniform", 2048), ("texture", 16384), ("storage", 1 << 20)])
def test_tables_have_the_limits_of_blocks_and_textures(table, longest):
    options = fft.BACKENDS["digit-reversal"].Options(memory="hybrid", twiddles="table", table=table)
    obstacle = fft.BACKENDS["digit-reversal"].obstacle
    assert obstacle(LEAST, longest, options) is None
    if table != "storage":
        assert unnamed(obstacle(LEAST, 2 * longest, options), "table", 2 * longest) == []
        assert obstacle(LEAST, 2 * longest, options.model_copy(update={"twiddles": "auto"})) is None


@pytest.mark.parametrize("table", ["uniform", "texture"])
def test_a_table_too_large_is_refused_in_one_sentence(ctx, releasing, table):
    there = limits(ctx)
    size = 2 * (there.uniform_bytes // 8 if table == "uniform" else there.texture_size)
    fields = releasing(fft.FieldBuffers(ctx, (1, size), 1))
    options = {"memory": "hybrid", "group": 1024, "twiddles": "table", "table": table}
    with pytest.raises(fft.FFTError, match=naming("digit-reversal table", size)):
        fft.plan(ctx, "digit-reversal", fields, options, axes=(fft.ROWS,))
