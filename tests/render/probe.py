"""Values of shader functions, row by row."""

import numpy as np

from ocean.gpu.bindings import Storage
from ocean.gpu.shaders import SHADERS, ShaderSource

SHARED = "common/bindings.glsl", "common/constants.glsl"  # for shaders that do not include them
PROBE = """
layout(local_size_x = 64) in;
layout(std430, binding = STORAGE_POINTS) readonly buffer Given { vec4 given[]; };
layout(std430, binding = STORAGE_SINK) writeonly buffer Sink { vec4 sink[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= ROWS) return;
    %s
}
"""


def probed(ctx, shaders, statements, given, answers, shared=SHARED, defines="", **uniforms):
    """Return the answers (n, answers, 4) that statements compute as `sink` from each row i of the input (n, any, 4),
    `given`, with functions of shaders."""
    text = "\n".join(ShaderSource(SHADERS, name, {}).text for name in (*shared, *shaders))
    program = ctx.compute_shader(f"#version 430\n#define ROWS {len(given)}u\n{defines}\n{text}\n{PROBE % statements}")
    points, sink = ctx.buffer(given.tobytes()), ctx.buffer(reserve=len(given) * answers * 16)
    points.bind_to_storage_buffer(Storage.POINTS)
    sink.bind_to_storage_buffer(Storage.SINK)
    for name, value in uniforms.items():
        program[name] = value
    program.run(-(-len(given) // 64))
    ctx.finish()
    found = np.frombuffer(sink.read(), "f4").reshape(len(given), answers, 4).astype("f8")
    for item in (points, sink, program):
        item.release()
    return found
