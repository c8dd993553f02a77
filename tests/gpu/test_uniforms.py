"""Nothing is written twice, and a frame writes only what its time changes."""

import moderngl
import numpy as np
import pytest

from ocean.gpu import uniforms


@pytest.mark.parametrize("fused", ["true", "false"])
def test_a_frame_writes_what_has_changed_and_makes_nothing(make_sea, ctx, monkeypatch, fused):
    sea = make_sea(f"fft.fused={fused}")
    for time in (1.0, 1.25, 1.5):
        sea.update(time)
    done = []

    def noting(what, method):
        return lambda *arguments, **named: (done.append(what), method(*arguments, **named))[1]

    for owner, name in (
        (moderngl.Buffer, "write"),
        (moderngl.ComputeShader, "__setitem__"),
        *((moderngl.Context, name) for name in ("buffer", "texture", "texture_array", "compute_shader")),
    ):
        monkeypatch.setattr(owner, name, noting(name, getattr(owner, name)))
    sea.update(1.75)
    assert done == ["write", "write"]  # when it is, and the gain of the foam map
    done.clear()
    sea.update(2.5)
    assert done == ["write", "write"]


def test_a_block_is_laid_out_as_the_shader_reads_it(ctx, monkeypatch, tmp_path):
    declared = """
struct Part { vec2 corner; float side; ivec2 shift; };  // an array of it begins at multiples of 16 bytes

layout(std140, binding = 0) uniform Whole {
    float first, second;
    vec4 colours[2];
    Part parts[COUNT];
    mat4 matrix;
    uint last;  // of all
};
"""
    (tmp_path / "whole.glsl").write_text(declared)
    monkeypatch.setattr(uniforms, "SHADERS", tmp_path)
    data = np.zeros((), uniforms.block_layout("whole.glsl", "Whole", COUNT=3))
    data["second"], data["last"] = 2.0, 9
    data["colours"][1], data["matrix"][2] = (1, 2, 3, 4), (5, 6, 7, 8)
    data["parts"][2] = (10, 11), 12, (13, 14)
    read = "second, float(last), colours[1].w, matrix[2].y, parts[2].corner.y, parts[2].side, float(parts[2].shift.y)"
    program = ctx.compute_shader(
        f"#version 430\n#define COUNT 3\nlayout(local_size_x = 1) in;{declared}"
        "layout(std430, binding = 1) buffer Out { float read[7]; };"
        f"void main() {{ read = float[7]({read}); }}"
    )
    block, out = ctx.buffer(data.tobytes()), ctx.buffer(reserve=28)
    block.bind_to_uniform_block(0)
    out.bind_to_storage_buffer(1)
    program.run()
    assert np.frombuffer(out.read(), "f4").tolist() == [2, 9, 4, 6, 11, 12, 14]
    assert program["Whole"].size == data.nbytes
    for one in (program, block, out):
        one.release()
