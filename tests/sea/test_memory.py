"""Refusals of seas that do not fit into memory, before anything is allocated."""

import pytest

from ocean.fft import FFTError
from ocean.gpu import memory as gpu_memory
from ocean.gpu.context import AllocationError, is_software, labelled
from ocean.gpu.memory import allocations, picture_obstacle
from ocean.sea import memory
from ocean.sea.sea import Sea
from ocean.sea.sea import make_sea as host_sea
from ocean.settings import load_settings
from tests.messages import naming, unnamed

PARTS = {"fft front", "half maps", "draw", "amplitudes", "loop steps", "variance from", "variance to"}
SOLVER = {"nonlinear loop steps", "lost energy", "last eddy viscosity", "new eddy viscosity"} | {
    f"nonlinear waves {name}" for name in ("before", "after", "sum", "stage")
}
NONLINEAR = "sea.dynamics=nonlinear", "sea.order=5", "cascades.count=1", "fft.half_derivatives=false"


@pytest.mark.parametrize("extra", [("fft.half_derivatives=true",), ("fft.half_derivatives=false",), NONLINEAR])
def test_expected_memory_agrees_with_doctor(ctx, extra):
    settings = load_settings(overrides=["fft.size=64", *extra])
    sea = Sea(ctx, settings)
    counted = sum(one.bytes for one in allocations(ctx) if one.label in PARTS | SOLVER)
    sea.release()
    assert memory.expected_bytes(settings) == pytest.approx(counted, rel=0.01)


def test_a_sea_too_large_for_the_free_memory_names_what_fits(ctx, monkeypatch):
    monkeypatch.setattr(gpu_memory, "free_bytes", lambda ctx: 1 << 28)
    before = allocations(ctx)
    with pytest.raises(FFTError, match=naming("fft.size 2048 3 0.8 GiB 1024")):
        Sea(ctx, load_settings(overrides=["fft.size=2048", "fft.half_derivatives=false"]))
    assert allocations(ctx) == before


def test_nonlinear_waves_too_large_for_the_gpu_are_refused(make_sea, ctx, monkeypatch):
    """The solver's grid is up to four times as wide as the maps."""
    sea = make_sea("cascades.count=1")
    before = allocations(ctx), sea.settings
    monkeypatch.setattr(gpu_memory, "free_bytes", lambda ctx: 1 << 23)
    wanted = load_settings(overrides=["fft.size=64", "foam.resolution=64", *NONLINEAR])
    with pytest.raises(FFTError, match=naming("1 cascades sea.order 5")):
        sea.apply(wanted.model_copy(update={"fft": sea.settings.fft}))
    assert (allocations(ctx), sea.settings) == before


def test_nonlinear_waves_too_large_for_the_host_are_refused(monkeypatch):
    """A cascade of 4096 texels needs a grid of 12,288 points a side."""
    settings = load_settings(overrides=["fft.size=4096", *NONLINEAR])
    monkeypatch.setattr(memory, "free_host_bytes", lambda: 8 << 30)
    with pytest.raises(FFTError, match=naming("4096 sea.order 5 71.0 GiB 8.0")):
        host_sea(settings)


def test_a_texture_that_the_driver_refuses_is_reported_in_one_sentence(ctx):
    if not is_software(ctx):
        pytest.skip("a GPU may take it")
    with pytest.raises(FFTError, match=naming("4096 driver")):
        memory.refuse_shortage(ctx, load_settings(overrides=["fft.size=4096"]))
    with pytest.raises(AllocationError, match=naming("no memory sky 4096 x 4096 x 6")):
        labelled("sky", ctx.texture_array((4096, 4096, 6), 4, dtype="f4"))
    assert unnamed(picture_obstacle(ctx, (16384, 16384)) or "", "--resolution 16384x16384") == []
    assert picture_obstacle(ctx, (64, 64)) is None
    assert ctx.error == "GL_NO_ERROR"
