#version 430
// Clears the triangles of all samples of a new buffer. In later frames resolve.comp and shade.comp clear each sample as
// they read it.
#include "common/bindings.glsl"

layout(local_size_x = 256) in;
layout(std430, binding = STORAGE_SEEN) writeonly buffer Seen { uvec2 seen[]; };

void main() {
    for (uint i = gl_GlobalInvocationID.x; i < uint(seen.length()); i += gl_NumWorkGroups.x * gl_WorkGroupSize.x)
        seen[i] = uvec2(0xffffffffu);
}
