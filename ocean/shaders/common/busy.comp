#version 430
// Keeps the GPU busy for a time proportional to `iterations`.
#include "common/bindings.glsl"
#include "common/busy.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = STORAGE_SINK) writeonly buffer Sink { float sink[]; };

void main() {
    sink[gl_GlobalInvocationID.x] = busy_work(float(gl_LocalInvocationID.x) / 64.0);
}
