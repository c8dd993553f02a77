#version 430
// Reads a solved surface where water is, because readers of the maps move it: the solution is a height over each place, and
// the maps have heights of the water that rests at a place. With X = p + c D(p) it writes the height eta(X), which the
// surface then has whatever D is, and the slope there. With RATES it writes their rate, eta_t(X) + c grad eta(X) . D_t(p).
#include "query/cubic.glsl"
#include "common/maps.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

#if RATES
layout(binding = SAMPLER_RATES) uniform sampler2DArray rates;
layout(binding = SAMPLER_CARRIED) uniform sampler2D surface;
#endif
layout(rgba32f, binding = IMAGE_CARRIED) writeonly uniform image2D carried;

uniform int cascade;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (max(texel.x, texel.y) >= size) return;
    vec2 D = texelFetch(maps, ivec3(texel, 2 * cascade), 0).zw;
    vec2 uv = (vec2(texel) + 0.5) / float(size) + choppiness / cascades[cascade].side * to_tile(cascades[cascade], D);
#if RATES
    vec2 slope = texelFetch(surface, texel, 0).yz, D_rate = texelFetch(rates, ivec3(texel, cascade), 0).zw;
    vec4 found = vec4(cubic(rates, uv, cascade).x + choppiness * dot(slope, D_rate), 0.0, 0.0, 0.0);
#else
    vec4 found = vec4(cubic(maps, uv, 2 * cascade).x, cubic(maps, uv, 2 * cascade + 1).xy, 0.0);
#endif
    imageStore(carried, texel, found);
}
