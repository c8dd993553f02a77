"""A sea that the GPU has no room for is refused before anything is allocated."""

import pytest

from ocean.fft import FFTError
from ocean.gpu.context import AllocationError, is_software, labelled
from ocean.gpu.memory import allocations
from ocean.sea import room
from ocean.sea.sea import Sea
from ocean.settings import load_settings

PARTS = {"fft front", "half maps", "draw", "amplitudes", "loop steps", "variance from", "variance to"}


@pytest.mark.parametrize("half", ["true", "false"])
def test_the_expected_memory_is_what_doctor_counts(ctx, half):
    settings = load_settings(overrides=["fft.size=64", f"fft.half_derivatives={half}"])
    sea = Sea(ctx, settings)
    counted = sum(one.bytes for one in allocations(ctx) if one.label in PARTS)
    sea.release()
    assert room.expected_bytes(settings) == pytest.approx(counted, rel=0.01)


def test_a_sea_too_large_for_the_free_memory_names_what_fits(ctx, monkeypatch):
    monkeypatch.setattr(room, "free_bytes", lambda ctx: 1 << 28)
    before = allocations(ctx)
    with pytest.raises(FFTError, match=r"fft.size = 2048 with 3 cascades needs 0.8 GiB .* choose fft.size = 1024"):
        Sea(ctx, load_settings(overrides=["fft.size=2048", "fft.half_derivatives=false"]))
    assert allocations(ctx) == before


def test_a_texture_that_the_driver_refuses_is_a_sentence(ctx):
    if not is_software(ctx):
        pytest.skip("a GPU may take it")
    with pytest.raises(FFTError, match="which this driver refuses"):
        room.refuse_shortage(ctx, load_settings(overrides=["fft.size=4096"]))
    with pytest.raises(AllocationError, match="the GPU has no memory left for 'sky', 4096 x 4096 x 6"):
        labelled("sky", ctx.texture_array((4096, 4096, 6), 4, dtype="f4"))
    assert ctx.error == "GL_NO_ERROR"
