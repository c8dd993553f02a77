#version 430
// Sums over random points of s, s², d, d², s d, for s = Dxx + Dzz and d = Dxx Dzz - Dxz² at choppiness 1, from which the
// deviation of J = 1 + c s + c² d follows at any c. A point is a random texel of each cascade: tiles are not commensurate,
// so that every combination of texels is somewhere in the world. Fetched, not filtered: a filter would take 7 % away.
#include "common/cascades.glsl"
#include "statistics/reduce.glsl"

#include "common/maps.glsl"
uniform uint turn;     // of measurement: each has other points
uniform uint samples;  // points in all

// Jarzynski and Olano (2020).
uint pcg(uint v) {
    uint state = v * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

void main() {
    vec3 D = vec3(0.0);
    for (uint c = 0u; c < uint(cascade_count); ++c) {
        uint column = pcg(gl_GlobalInvocationID.x + (turn * 8u + c) * samples), row = pcg(column);
        ivec2 texel = ivec2(column % uint(size), row % uint(size));
        D += vec3(texelFetch(maps, ivec3(texel, 2u * c + 1u), 0).zw, texelFetch(maps, ivec3(texel, 2u * c), 0).y);
    }
    float s = D.x + D.y, d = D.x * D.y - D.z * D.z;
    write_sums(vec4(s, s * s, d, d * d), vec4(s * d, 0.0, 0.0, 0.0), gl_WorkGroupID.x);
}
