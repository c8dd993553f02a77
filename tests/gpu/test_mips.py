"""Mip levels: each texel the mean of four."""

import numpy as np
import pytest

from ocean.gpu.mips import mip_pass
from ocean.gpu.passes import Frame


@pytest.mark.parametrize("size", [16, 32, 64, 128, 512])
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
    expected = data.astype("f8")
    for level in range(1, size.bit_length()):
        expected = 0.25 * sum(expected[:, i::2, j::2] for i in (0, 1) for j in (0, 1))
        side = size >> level
        reader["level"] = level
        reader.run(side, side, 3)
        ctx.memory_barrier()
        texels = np.frombuffer(out.read(3 * side * side * 16), "f4").reshape(3, side, side, 4)
        np.testing.assert_allclose(texels, expected, atol=1e-6)
    for resource in (texture, reader, out):
        resource.release()
