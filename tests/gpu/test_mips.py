"""Mip levels: each texel the mean over its area, whatever the side."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.gpu.mips import LEVELS_AT_ONCE, mip_pass, mip_steps
from ocean.gpu.passes import Frame


def area_means(field, axis):
    """A field of n texels along an axis as one of floor(n / 2): means over areas, by how far old and new overlap."""
    n = field.shape[axis]
    m = n // 2
    old, new = np.arange(n), np.arange(m)[:, None] * n / m
    overlap = np.clip(np.minimum(new + n / m, old + 1) - np.maximum(new, old), 0, None)
    return np.moveaxis(np.tensordot(overlap * m / n, field, (1, axis)), 0, axis)


def levels_of(data):
    """All levels of fields (layer, side, side, ...) in float64, the first included."""
    levels = [np.asarray(data, np.float64)]
    while levels[-1].shape[1] > 1:
        levels.append(area_means(area_means(levels[-1], 1), 2))
    return levels


@pytest.mark.parametrize("size", [16, 18, 22, 32, 64, 94, 96, 128, 240, 250, 360, 512])
def test_each_level_is_the_mean_of_the_one_below(ctx, size):
    data = np.random.default_rng().standard_normal((3, size, size, 4)).astype("f4")
    texture = ctx.texture_array((size, size, 3), 4, dtype="f4")
    step = mip_pass(ctx, texture)
    texture.write(data.tobytes())
    step.run(Frame())
    reader = ctx.compute_shader("""#version 430
        layout(local_size_x = 1) in;
        uniform sampler2DArray source;
        uniform int level;
        layout(std430, binding = 0) writeonly buffer Out { vec4 texels[]; };
        void main() {
            uvec3 id = gl_GlobalInvocationID, n = gl_NumWorkGroups;
            texels[(id.z * n.y + id.y) * n.x + id.x] = texelFetch(source, ivec3(id), level);
        }""")
    out = ctx.buffer(reserve=data.nbytes)
    texture.use(0)
    out.bind_to_storage_buffer(0)
    expected = levels_of(data)
    assert len(expected) == size.bit_length()
    for level, mean in enumerate(expected[1:], 1):
        side = size >> level
        reader["level"] = level
        reader.run(side, side, 3)
        ctx.memory_barrier()
        texels = np.frombuffer(out.read(3 * side * side * 16), "f4").reshape(3, side, side, 4)
        np.testing.assert_allclose(texels, mean, atol=1e-6)
        np.testing.assert_allclose(texels.mean((1, 2)), data.mean((1, 2), dtype="f8"), atol=1e-6)
    for resource in (texture, reader, out):
        resource.release()


@given(st.integers(1, 5000))
def test_the_dispatches_make_every_level_once(side):
    made = 0
    for base, count in mip_steps(side):
        assert base == made
        assert 1 <= count <= LEVELS_AT_ONCE
        assert count == 1 or (side >> base) % 2**count == 0
        made += count
    assert side >> made == 1


@pytest.mark.parametrize("side", [6, 15, 22, 25, 94])
def test_a_level_of_a_tile_is_moved_by_as_much_as_its_texels_are(side):
    """A wave's phase on the coarser level is that at the centre of each new texel, once averaged over all of them."""
    x = (np.arange(side) + 0.5) / side
    coarse = area_means(np.exp(2j * np.pi * x), 0)
    centres = (np.arange(side // 2) + 0.5) / (side // 2)
    response = np.mean(coarse * np.exp(-2j * np.pi * centres))
    assert abs(response.imag) < 1e-12
    assert 0 < response.real < 1
