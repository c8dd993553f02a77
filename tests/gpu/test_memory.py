"""The table of GPU memory, object by object."""

import pytest

from ocean.gpu.memory import allocations, memory_lines
from ocean.render.frame import FrameRenderer
from ocean.settings import load_settings

from ..render.conftest import make_tables_coarse


@pytest.mark.parametrize(("components", "dtype", "bytes_"), [(4, "f4", 16), (2, "f2", 4), (1, "u4", 4), (4, "f1", 4)])
def test_a_texture_takes_its_texels_and_those_of_its_levels(ctx, components, dtype, bytes_):
    texture = ctx.texture_array((8, 4, 3), components, dtype=dtype)
    texture.label = "odd one out"

    def found():
        return next(one.bytes for one in allocations(ctx) if one.label == "odd one out")

    assert found() == 8 * 4 * 3 * bytes_
    if dtype[0] == "f":
        texture.build_mipmaps()
        assert found() == (8 * 4 + 4 * 2 + 2 * 1 + 1) * 3 * bytes_
    texture.release()
    assert all(one.label != "odd one out" for one in allocations(ctx))


def test_lines_list_buffers_and_end_with_the_sum(ctx):
    before = sum(one.bytes for one in allocations(ctx))
    parts = [ctx.buffer(reserve=3 << 20), ctx.buffer(reserve=100), ctx.renderbuffer((5, 7), 4)]
    parts[0].label = "three"
    assert sum(one.bytes for one in allocations(ctx)) == before + (3 << 20) + 100 + 5 * 7 * 4
    lines = memory_lines(ctx)
    others, objects = int(lines[-2].split()[2]), len(allocations(ctx))
    assert lines[-2].split()[3:] == ["others,", "below", "0.01", "MiB", "each"]
    assert len(lines) - 2 + others == objects == int(lines[-1].split()[-2])
    assert any(line.split() == ["3.00", "MiB", "three,", "buffer"] for line in lines)
    assert "in all" in lines[-1]
    for part in parts:
        part.release()


def test_a_frame_labels_all_that_it_makes(ctx, releasing, monkeypatch):
    make_tables_coarse(monkeypatch)
    before = {(one.label, one.bytes) for one in allocations(ctx)}
    renderer = releasing(FrameRenderer(ctx, load_settings(overrides=["fft.size=64", "foam.resolution=64"]), (64, 48)))
    renderer.measure(True)
    renderer.render(1.0)
    made = [one for one in allocations(ctx) if (one.label, one.bytes) not in before]
    assert len(made) > 20
    assert "without a label" not in {one.label for one in made}
