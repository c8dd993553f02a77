#version 430
// Sums h, h², h³, h⁴ [m to m⁴] and hx², hz², hx hz over all texels of each cascade's maps. Each invocation sums every n-th
// texel, and each work group its invocations. All cascades have equally many work groups, in the order of the cascades.
#include "common/cascades.glsl"
#include "statistics/reduce.glsl"

#include "common/maps.glsl"

void main() {
    vec4 height = vec4(0.0), slope = vec4(0.0);
    uint groups = gl_NumWorkGroups.x / uint(cascade_count), first = gl_WorkGroupID.x % groups;
    int cascade = int(gl_WorkGroupID.x / groups);
    for (uint i = first * THREADS + gl_LocalInvocationIndex; i < uint(size * size); i += groups * THREADS) {
        ivec2 texel = ivec2(i % uint(size), i / uint(size));
        float h = texelFetch(maps, ivec3(texel, 2 * cascade), 0).x;
        vec2 s = texelFetch(maps, ivec3(texel, 2 * cascade + 1), 0).xy;
        height += vec4(h, h * h, h * h * h, h * h * h * h);
        slope += vec4(s * s, s.x * s.y, 0.0);
    }
    write_sums(height, slope, gl_WorkGroupID.x);
}
