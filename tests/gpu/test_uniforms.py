"""Layouts of blocks follow from their declarations in shaders."""

import numpy as np

from ocean.gpu import shaders


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
    monkeypatch.setattr(shaders, "SHADERS", tmp_path)
    data = np.zeros((), shaders.block_layout("whole.glsl", "Whole", COUNT=3))
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
