#version 430
// Reads a solved surface at the displaced water, because readers of the maps displace it: the solution is a height at fixed
// points, and the maps have heights of the water by its rest position. With X = p + c D(p) it writes the height eta(X) and
// the slope there, so the surface has this height whatever D is. With RATES it writes the water's velocity (W, u), from the
// rate of the height and the gradient of the potential psi at the surface: W = (eta_t + grad psi . grad eta) / (1 + |grad
// eta|²), u = grad psi - W grad eta. Cubics through heights alone have too small slopes in short waves, and the mean level of the moved surface
// would be too low. So heights and slopes come from the cubic through heights and slopes at the corners of a cell (Adini
// and Clough 1960).
#include "query/cubic.glsl"
#include "common/maps.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

#if RATES
layout(binding = SAMPLER_RATES) uniform sampler2DArray rates;
layout(binding = SAMPLER_CARRIED) uniform sampler2D surface;
#endif
layout(rgba32f, binding = IMAGE_CARRIED) writeonly uniform image2D carried;

uniform int cascade;

#if !RATES
// Returns the height [m] of a map and its slope in world axes, at texture coordinates of `tile_uv`.
vec3 height_and_slope(Cascade tile, vec2 uv) {
    vec2 place = fract(uv) * float(size) - 0.5, slope = vec2(0.0);
    float height = 0.0, side = tile.side / float(size);
    for (int corner = 0; corner < 4; ++corner) {
        ivec2 first = ivec2(corner & 1, corner >> 1);
        ivec3 there = ivec3((ivec2(floor(place)) + first + size) % size, 2 * cascade);
        vec2 way = 1.0 - 2.0 * vec2(first), s = abs(fract(place) - vec2(first));  // from the corner, in cells
        float h = texelFetch(maps, there, 0).x;
        vec2 g = way * to_tile(tile, texelFetch(maps, there + ivec3(0, 0, 1), 0).xy);
        vec2 near = 1.0 - s, value = near * near * (1.0 + 2.0 * s), bend = s * near * near, across = near.yx;
        height += h * (dot(value, across) - near.x * near.y) + side * dot(bend * across, g);
        vec2 bent = near * (1.0 - 3.0 * s) * across * g - bend.yx * g.yx;
        slope += way * (h / side * (across * (1.0 - 6.0 * s * near) - value.yx) + bent);
    }
    return vec3(height, to_world(tile, slope));
}
#endif

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (max(texel.x, texel.y) >= size) return;
    vec2 D = texelFetch(maps, ivec3(texel, 2 * cascade), 0).zw;
    Cascade tile = cascades[cascade];
    vec2 uv = (vec2(texel) + 0.5) / float(size) + choppiness / tile.side * to_tile(tile, D);
#if RATES
    vec2 slope = texelFetch(surface, texel, 0).yz;
    vec4 rate = cubic(rates, uv, cascade);
    float up = (rate.x + dot(rate.zw, slope)) / (1.0 + dot(slope, slope));
    vec4 found = vec4(up, rate.zw - up * slope, 0.0);
#else
    vec4 found = vec4(height_and_slope(tile, uv), 0.0);
#endif
    imageStore(carried, texel, found);
}
