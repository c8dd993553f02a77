"""Mip levels: each texel is the mean over its area, for any side."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.gpu.mips import LEVELS_AT_ONCE, mip_pass, mip_steps, write_levels

from ..seas import mip_levels


def read_back(ctx, texture, expression, groups, kind="sampler2DArray", **uniforms):
    """Return the vec4 that a shader reads from a texture (array) at each of its `groups`, whose index is `id`."""
    reader = ctx.compute_shader(f"""#version 430
        layout(local_size_x = 1) in;
        uniform {kind} source;
        uniform int level;
        layout(std430, binding = 0) readonly buffer In {{ vec2 places[]; }};
        layout(std430, binding = 1) writeonly buffer Out {{ vec4 texels[]; }};
        void main() {{
            uvec3 id = gl_GlobalInvocationID, n = gl_NumWorkGroups;
            texels[(id.z * n.y + id.y) * n.x + id.x] = {expression};
        }}""")
    out = ctx.buffer(reserve=16 * int(np.prod(groups)))
    texture.use(0)
    out.bind_to_storage_buffer(1)
    for name, value in uniforms.items():
        reader[name] = value
    reader.run(*groups)
    ctx.memory_barrier()
    texels = np.frombuffer(out.read(), "f4").reshape(*groups[::-1], 4)
    for resource in (reader, out):
        resource.release()
    return texels


@pytest.fixture
def make_texture(ctx, releasing):
    """Return a function that makes a texture array with all levels from data (layer, side, side, 4)."""

    def make(data):
        layers, side, _, _ = data.shape
        texture = releasing(ctx.texture_array((side, side, layers), 4, dtype="f4"))
        step = mip_pass(ctx, texture)
        texture.write(data.tobytes())
        step.run()
        return texture

    return make


@pytest.mark.parametrize("size", [16, 22, 94, 128, 250])
def test_each_level_is_the_mean_of_the_one_below(ctx, make_texture, size):
    data = np.random.default_rng().standard_normal((3, size, size, 4)).astype("f4")
    texture = make_texture(data)
    expected = mip_levels(data)
    assert len(expected) == size.bit_length()
    for level, mean in enumerate(expected[1:], 1):
        side = size >> level
        texels = read_back(ctx, texture, "texelFetch(source, ivec3(id), level)", (side, side, 3), level=level)
        np.testing.assert_allclose(texels, mean, atol=1e-6)
        np.testing.assert_allclose(texels.mean((1, 2)), data.mean((1, 2), dtype="f8"), atol=1e-6)


@given(st.integers(1, 5000))
def test_the_dispatches_make_every_level_once(side):
    made = 0
    for base, count in mip_steps(side):
        assert base == made
        assert 1 <= count <= LEVELS_AT_ONCE
        assert count == 1 or (side >> base) % 2**count == 0
        made += count
    assert side >> made == 1


def test_levels_are_written_as_they_are(ctx, releasing, rng):
    levels = [rng.random((3, side, side, 2), np.float32) for side in (8, 4, 2, 1)]
    texture = releasing(ctx.texture_array((8, 8, 3), 2, levels[0], dtype="f4"))
    write_levels(ctx, texture, levels[1:])
    for level, values in enumerate(levels):
        fetched = "texelFetch(source, ivec3(id), level)"
        texels = read_back(ctx, texture, fetched, (*values.shape[1:3], 3), "sampler2DArray", level=level)
        np.testing.assert_array_equal(texels[..., :2], values)
