#version 430
// Sums values over random points. The first sums are of s, s², d, d², s d, for s = Dxx + Dzz and d = Dxx Dzz - Dxz² at
// choppiness 1. The standard deviation of J = 1 + c s + c² d follows from them at any c. The second sums are of J, J y, J y²,
// J y³, J y⁴ and J where y > level, for the height y [m] of the displaced surface: J weights each point by the area that a
// unit of still water covers. A point is a random texel of each cascade: tiles are not commensurate, so every combination of
// texels occurs in the world. Texels are fetched, because a filter would take 7 % of the variance.
#include "common/jacobian.glsl"
#include "common/second_order.glsl"
#include "statistics/reduce.glsl"

#include "common/maps.glsl"
uniform uint turn;     // number of the measurement: each has other points
uniform uint samples;  // number of points
uniform float level;   // [m]

// Returns a hash of v (Jarzynski and Olano 2020).
uint pcg(uint v) {
    uint state = v * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

void main() {
    vec3 D = vec3(0.0), longer = vec3(0.0);
    float height = 0.0, lifted = 0.0;
    for (uint c = 0u; c < uint(cascade_count); ++c) {
        uint column = pcg(gl_GlobalInvocationID.x + (turn * 8u + c) * samples), row = pcg(column);
        ivec2 texel = ivec2(column % uint(size), row % uint(size));
        vec4 moved = texelFetch(maps, ivec3(texel, 2u * c), 0);
        D += vec3(texelFetch(maps, ivec3(texel, 2u * c + 1u), 0).zw, moved.y);
        height += moved.x;
        lifted += lift(cascades[c], moved.xzw, longer);
    }
    float s = D.x + D.y, d = D.x * D.y - D.z * D.z;
    write_sums(vec4(s, s * s, d, d * d), vec4(s * d, 0.0, 0.0, 0.0), gl_WorkGroupID.x);
    float y = height + choppiness * lifted, J = jacobian(choppiness * D);
    vec4 powers = J * vec4(1.0, y, y * y, y * y * y);
    write_sums(powers, vec4(powers.w * y, y > level ? J : 0.0, 0.0, 0.0), gl_NumWorkGroups.x + gl_WorkGroupID.x);
}
