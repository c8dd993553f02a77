#version 430
// Copies the height [m] of one cascade at every `stride`-th texel into rows of a buffer. These texels hold all waves of the
// cascade, because its band fills a small part of the map's spectrum.
#include "common/cascades.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

#include "common/maps.glsl"
layout(std430, binding = STORAGE_SINK) writeonly buffer Heights { float heights[]; };
uniform int cascade;
uniform int stride;

void main() {
    ivec2 here = ivec2(gl_GlobalInvocationID.xy);
    int side = size / stride;
    if (max(here.x, here.y) >= side) return;
    heights[here.y * side + here.x] = texelFetch(maps, ivec3(here * stride, 2 * cascade), 0).x;
}
