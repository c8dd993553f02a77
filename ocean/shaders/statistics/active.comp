#version 430
// Copies active foam from a level of the foam map into rows of a buffer, from the first texel of the level's window on.
#include "foam/map.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = SAMPLER_FOAM) uniform sampler2DArray foam;
layout(std430, binding = STORAGE_SINK) writeonly buffer Active { float active_foam[]; };
uniform int level;

void main() {
    ivec2 here = ivec2(gl_GlobalInvocationID.xy);
    active_foam[here.y * FOAM_SIZE + here.x] = texelFetch(foam, ivec3(wrap(windows[level].xy + here), level), 0).g;
}
