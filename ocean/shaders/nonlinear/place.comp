#version 430
// Writes the results of carry.comp into the maps: heights, and, by the chain rule, slopes along rest positions of the water;
// or velocities, with horizontal rates divided by the choppiness, by which readers multiply.
#include "common/cascades.glsl"
#include "spectrum/rounded.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = SAMPLER_CARRIED) uniform sampler2D carried;
layout(rgba32f, binding = IMAGE_FRONT) uniform image2DArray front;
#if HALF_MAPS
layout(rgba16f, binding = IMAGE_HALF_MAPS) writeonly uniform image2DArray half_maps;
#endif

uniform int cascade;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (max(texel.x, texel.y) >= size) return;
    vec3 surface = texelFetch(carried, texel, 0).xyz;
#if RATES
    ivec3 there = ivec3(texel, cascade);
    imageStore(front, there, vec4(surface.x, imageLoad(front, there).y, surface.yz / max(choppiness, 1e-3)));
#else
    ivec3 first = ivec3(texel, 2 * cascade), second = first + ivec3(0, 0, 1);
    vec4 moved = imageLoad(front, first), derivatives = imageLoad(front, second);
    moved.x = surface.x;
    float cross = choppiness * moved.y;
    derivatives.xy = surface.yz * (1.0 + choppiness * derivatives.zw) + cross * surface.zy;
    imageStore(front, first, moved);
    imageStore(front, second, derivatives);
#if HALF_MAPS
    imageStore(half_maps, first, rounded(moved));
    imageStore(half_maps, second, rounded(derivatives));
#endif
#endif
}
