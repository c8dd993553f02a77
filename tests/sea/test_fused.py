"""The sea evolved within the transform: its fields equal those of separate passes, for each kind of storage between the
axes."""

from dataclasses import replace

import numpy as np
import pytest

from ocean import fft
from ocean.fft import TunedPlans, use_tuned
from ocean.fft.auto import TunedPair, TunedPlan
from ocean.fft.backends import PAIR
from ocean.fft.registers import FASTEST, FASTEST_FUSED, MANY_LAYERS, StockhamRegisters, fastest
from ocean.fft.storage import Callback
from ocean.gpu.context import limits
from ocean.settings import with_values
from ocean.waves.fields import FIELDS
from tests.messages import naming

from ..fft.samples import LEAST
from ..marks import slow
from ..objects import back_halves
from ..seas import reference_fields, relative_error

TIME = 4321.5
SAME = 1e-6  # relative L2
FLOATS = "fft.half_derivatives=false"  # no copies of the maps
FUSING = {  # and a size that the backend supports
    "cooley-tukey": 32,
    "natural-order": 32,
    "stockham-radix2": 64,  # even and odd numbers of stages
    "stockham-radix4": 32,
    "stockham-shared": 64,
    "stockham-registers": 30,
    "digit-reversal": 64,
    "split-radix": 32,
    "dft": 22,
    "bluestein": 22,
    "auto": 30,
}
MIXED = ({"sea.depth": 9.0, "sea.loop_period": 600.0}, {"sea.dispersion": "capillary-gravity", "sea.swell.height": 2.0})
SEPARATE = {"fft.fused": False}


def fields_of(sea, changes, time=TIME):
    sea.apply(with_values(sea.settings, changes))
    sea.update(time)
    return sea.fields()


def packed(fields):
    """Return the four complex numbers of the transforms; both fields of a number share its error."""
    return [fields[a] + 1j * fields[b].astype("f8") for a, b in zip(FIELDS[::2], FIELDS[1::2], strict=True)]


def errors(sea):
    """Return the difference of each transform of each cascade between fused and separate passes, which run one after
    the other in one sea."""
    assert sea.settings.fft.fused
    fused = packed(fields_of(sea, {}))
    assert isinstance(sea.plan, fft.FusedPlan)
    separate = packed(fields_of(sea, SEPARATE))
    assert not isinstance(sea.plan, fft.FusedPlan)
    assert all(cascade.all() for field in separate for cascade in field)
    return [
        relative_error(a, b)
        for one, other in zip(fused, separate, strict=True)
        for a, b in zip(one, other, strict=True)
    ]


def check_same(sea):
    assert max(errors(sea)) < SAME


@pytest.mark.parametrize(("backend", "size"), FUSING.items())
def test_fused_fields_of_any_sea_equal_fields_of_separate_passes(make_sea, backend, size):
    sea = make_sea(f"fft.backend={backend}", f"fft.size={size}")
    for changes in MIXED[: 2 if backend == "stockham-registers" else 1]:
        sea.apply(with_values(sea.settings, {**changes, "fft.fused": True}))
        check_same(sea)
    fields = sea.fields()  # of the separate passes
    for index, (_, expected) in enumerate(reference_fields(sea.settings, TIME)):
        for name in FIELDS:
            assert relative_error(fields[name][index], expected[name]) < 1e-5


@pytest.mark.parametrize("backend", sorted(set(fft.BACKENDS) - set(FUSING)))
def test_backends_without_fusion_run_separate_passes(make_sea, backend):
    sea = make_sea(f"fft.backend={backend}")
    sea.update(1.0)
    assert [step.name for step in sea.passes] == ["evolve", "rows", "columns", "mip levels", "foam"]


@pytest.mark.parametrize("options", [{"memory": "hybrid", "group": 64}, {"memory": "global"}])
def test_kernels_that_load_in_each_dispatch_are_not_fused(make_sea, options):
    assignments = [f"fft.options.{name}={value}" for name, value in options.items()]
    sea = make_sea("fft.backend=digit-reversal", "fft.size=128", *assignments)
    assert not isinstance(sea.plan, fft.FusedPlan)


@pytest.mark.parametrize("middle", ["image", "buffer", "blocks"])
@pytest.mark.parametrize("columns", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_fused_maps_agree_with_every_storage_between_the_axes(make_sea, middle, columns):
    """The size is not a multiple of 4."""
    options = f"fft.options={{middle = '{middle}', columns = {columns}, lines = 4}}"
    check_same(make_sea("fft.backend=stockham-registers", "fft.size=30", options, "cascades.count=2"))


@pytest.mark.parametrize("sharing", ["packed", "apart"])
@pytest.mark.parametrize("size", [64, pytest.param(90, marks=pytest.mark.slow)])  # all invocations load alike, and not
def test_fused_fields_agree_if_waves_are_evolved_elsewhere(make_sea, sharing, size):
    options = f"fft.options={{sharing = '{sharing}', exchange = 'float'}}"
    check_same(make_sea("fft.backend=stockham-registers", f"fft.size={size}", options, "cascades.count=1"))


@pytest.mark.parametrize(
    "size", [16, *(pytest.param(size, marks=pytest.mark.slow) for size in (128, 256, 512, 1024, 2048))]
)
def test_fused_fields_agree_with_built_in_choices(make_sea, monkeypatch, size):
    monkeypatch.setattr("ocean.fft.registers.is_software", lambda ctx: False)  # that backend has its own
    check_same(make_sea("fft.backend=stockham-registers", f"fft.size={size}", "cascades.count=1"))


@pytest.mark.parametrize("speed", [slow(4), 25])
def test_half_floats_between_the_axes_lose_no_more_than_rounding(make_sea, speed):
    """A half has 11 bits: rounding changes a number by at most 2^-11 of it, or 2^-11 / sqrt(3) rms for mantissas near
    1. The values are those of waves, from metres to parts of a millimetre, and need no scaling."""
    assignments = f"sea.wind.speed={speed}", "fft.options.halves=true"
    sea = make_sea("fft.backend=stockham-registers", "fft.size=64", *assignments)
    assert all(1e-5 < error < 2.0**-11 / np.sqrt(3) for error in errors(sea))


def test_images_replace_buffers_that_are_too_large(make_sea, monkeypatch):
    def small(ctx):
        return replace(limits(ctx), storage_bytes=1 << 10)

    for module in ("ocean.fft.storage", "ocean.sea.maps"):
        monkeypatch.setattr(f"{module}.limits", small)
    sea = make_sea("fft.backend=stockham-registers")
    assert sea.plan.middle is None
    assert sea.textures.defines == {"AMPLITUDE_IMAGES": 1}
    check_same(sea)
    assert all(np.isfinite(sea.query([0.0], [0.0]).result().velocity).ravel())


# -- What it costs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("backend", "options", "first", "second"),
    [
        ("stockham-registers", "waves = 'held'", 12 + 32, 32 + 32),  # h0 and its mirror, loop steps; two layers
        ("stockham-registers", "waves = 'apart', middle = 'image'", 12 + 12 + 32, 32 + 32),
        ("stockham-registers", "halves = true, waves = 'held'", 12 + 16, 16 + 32),
        ("stockham-radix2", "", (24 + 32) + 5 * 64, 6 * 64),  # six stages; the first reads waves
        ("digit-reversal", "", 24 + 32, 64),  # a dispatch of each axis
    ],
)
def test_bytes_moved_are_counted(make_sea, backend, options, first, second):
    sea = make_sea(f"fft.backend={backend}", f"fft.options={{{options}}}", FLOATS)
    counted = [(step.name, step.bytes_moved // (3 * 64**2)) for step in sea.passes[:2]]
    assert counted == [("evolve+rows", first), ("columns", second)]


@pytest.mark.parametrize("backend", ["stockham-registers", "digit-reversal"])
def test_kernels_in_place_take_no_second_half(make_sea, backend):
    sea = make_sea(f"fft.backend={backend}")
    before = back_halves(sea.storage)
    sea.update(1.0)
    assert back_halves(sea.storage) <= before


def test_only_pairs_of_squares_are_fused(ctx, releasing):
    fields = releasing(fft.FieldLayers(ctx, 16, PAIR + 1))
    with pytest.raises(fft.FFTError, match=naming("pairs 3 16 x 16")):
        fft.fuse("auto", fields, Callback("", 0, lambda: None))


# -- Options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", FASTEST)
def test_built_in_choices_fit_the_least_gpu(size):
    for values in (*FASTEST[size], *fastest(size, MANY_LAYERS), FASTEST_FUSED[size][-1]):
        assert StockhamRegisters.obstacle(LEAST, size, StockhamRegisters.Options(**values)) is None
        assert set(values) <= {*StockhamRegisters.Options.tunable("plain"), *StockhamRegisters.Options.tunable("first")}


def division_of(sea, axis):
    return sea.plan.transforms[axis].division


def test_options_tuned_for_transforms_do_not_reach_fused_axes(make_sea, ctx):
    """Fused axes do more work and have options of their own."""
    there = {"gpu": ctx.info["GL_RENDERER"], "driver": ctx.info["GL_VERSION"]}
    plan = TunedPlan(size=64, layers=2, backend="stockham-registers", options={"radix": 4, "lines": 1})
    first = {"radix": 2, "waves": "held"}
    pair = TunedPair(backend="stockham-registers", options={"radix": 4, "lines": 2}, first=first)
    usual = make_sea("fft.size=64", "cascades.count=1")
    radices, lines = [division_of(usual, axis).radices for axis in (0, 1)], division_of(usual, 1).lines
    group_layers = usual.plan.transforms[0].fields.group_layers
    for fused, expected in ((None, (*radices, lines, group_layers)), (pair, ((2,) * 6, (4, 4, 4), 2, 2))):
        tuned = plan.model_copy(update={"fused": fused})
        assert use_tuned(ctx, TunedPlans(**there, plans=(tuned,)))
        try:
            sea = make_sea("fft.size=64", "cascades.count=1")
        finally:
            use_tuned(ctx, None)
        rows, columns = (division_of(sea, axis) for axis in (0, 1))
        layers = sea.plan.transforms[0].fields.group_layers
        assert (rows.radices, columns.radices, columns.lines, layers) == expected
        check_same(sea)
