"""Counted operations of transforms, against the literature and against their networks."""

import pytest

from ocean import fft
from ocean.fft.auto import TRANSFORMS
from ocean.fft.counts import butterfly_flops, count, count_line, kernels_of
from ocean.fft.networks import NETWORKS, Memory, network_of

from ..objects import back_halves

CASES = [
    *((name, 64, {}) for name in TRANSFORMS if name in NETWORKS and name != "bluestein"),
    ("auto", 64, {}),
    ("stockham-radix4", 128, {}),
    ("stockham-registers", 120, {}),
    ("stockham-registers", 256, {"radix": 4, "exchange": "vec2"}),
    ("stockham-registers", 4096, {"radix": 16}),
    ("stockham-global", 105, {"exchange": "sorted"}),
    ("four-step", 360, {"longest": 64}),
    ("digit-reversal", 256, {"memory": "hybrid", "group": 64, "radix": 2}),
    ("digit-reversal", 128, {"decimation": "frequency", "radix": 8}),
]


@pytest.fixture
def plan_of(ctx):
    made = []

    def make(name, size, options):
        fields = fft.FieldLayers(ctx, (4, size), 1)
        made.extend([fields, plan := fft.plan(ctx, name, fields, options, axes=(fft.ROWS,))])
        return plan

    yield make
    for one in made:
        one.release()


def is_quarter_turn(factor):
    """Return whether a factor is a power of i, so that a butterfly needs no operations for the product."""
    return abs(factor.value**4 - 1) < 1e-12


@pytest.mark.parametrize(("name", "size", "options"), CASES)
def test_counts_follow_from_the_network(plan_of, name, size, options):
    """The kernel has a product for each root of the network, and may have one where the root is 1."""
    (transform,) = plan_of(name, size, options).transforms
    counted, network = count_line(transform), network_of(transform)
    additions = roots = places = 0
    for step in network.steps:
        for node in step.nodes:
            factors = [*node.before, *node.after]
            if name == "dft" and len(node.reads) == size:
                additions += 8 * size  # a product and an addition for each term
            elif len(node.reads) > 1:
                additions += butterfly_flops(len(node.reads))
                roots += sum(factor is not None and not is_quarter_turn(factor) for factor in factors)
                places += len(factors)
            else:
                roots += sum(factor is not None for factor in factors)
                places += len(factors)
    assert additions + 6 * roots <= counted.flops <= additions + 6 * places
    divisions = getattr(transform, "divisions", [transform.division] if hasattr(transform, "division") else [])
    parts = divisions[0].parts if divisions else 1
    exchanging = sum(len(division.radices) > 1 for division in divisions)  # its first part needs no barrier
    assert counted.barriers == network.barriers * parts + exchanging * (parts - 1)
    assert Memory.FRONT in network.memories


@pytest.mark.parametrize(("name", "flops"), [("stockham-radix2", 5 * 64 * 6), ("cooley-tukey", 5 * 64 * 6)])
def test_radix_2_has_the_conventional_number_of_operations(plan_of, name, flops):
    assert count_line(plan_of(name, 64, {}).transforms[0]).flops == flops  # 5 N log2 N


def test_radix_4_has_the_published_number_of_operations(plan_of):
    assert count_line(plan_of("stockham-radix4", 256, {}).transforms[0]).flops == 17 / 4 * 256 * 8  # 4.25 N log2 N


@pytest.mark.parametrize(("radix", "flops"), [(2, 4), (3, 16), (4, 16), (5, 48), (8, 56), (16, 168), (17, 436)])
def test_butterflies_count_their_operations(radix, flops):
    assert butterfly_flops(radix) == flops


def test_a_run_is_all_lines_of_all_fields(ctx):
    layers = fft.FieldLayers(ctx, 64, 3)
    plan = fft.plan(ctx, "stockham-radix2", layers, {"twiddles": "table"})
    counts = count(plan)
    assert counts.flops == 2 * 64 * 6 * 5 * 64 * 6  # axes, lines, fields
    assert counts.barriers == 2 * 5
    assert counts.storage_bytes == 2 * 3 * 64 * 64 * 16 + 2 * 64 * 8  # both halves, and a table for each axis
    assert counts.program_bytes is None or counts.program_bytes > 1000
    plan.release()
    layers.release()


@pytest.mark.parametrize(
    "backend", ["stockham-shared", "stockham-registers", "dft", "digit-reversal", "bluestein", "auto"]
)
def test_kernels_in_place_neither_take_nor_count_a_second_half(ctx, backend):
    layers = fft.FieldLayers(ctx, 64, 3)
    before = back_halves(layers)
    plan = fft.plan(ctx, backend, layers)
    plan.forward()
    assert back_halves(layers) <= before
    tables = sum(one.own_bytes for one in plan.transforms)
    assert count(plan).storage_bytes == 3 * 64 * 64 * 16 + tables
    plan.release()
    layers.release()


def test_a_convolution_in_memory_takes_no_second_half(ctx):
    layers = fft.FieldLayers(ctx, (2, 16381), 1)
    before = back_halves(layers)
    plan = fft.plan(ctx, "bluestein", layers, axes=(fft.ROWS,))
    assert plan.transforms[0].dispatches > 1
    plan.forward()
    assert back_halves(layers) <= before
    (one,) = plan.transforms
    assert set(one.inner.kernels) < set(kernels_of(one))
    plan.release()
    layers.release()


@pytest.mark.parametrize("middle", ["image", "buffer"])
def test_storage_between_the_axes_is_counted(ctx, middle):
    layers = fft.FieldLayers(ctx, 32, 2)
    plan = fft.plan(ctx, "stockham-registers", layers, {"middle": middle, "twiddles": "computed"})
    assert count(plan).storage_bytes == (1 if middle == "image" else 2) * layers.bytes
    plan.release()
    layers.release()
