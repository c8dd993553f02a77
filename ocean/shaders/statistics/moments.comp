#version 430
// Sums over all texels of one cascade's maps: h, h², h³, h⁴ [m to m⁴] and hx², hz², hx hz. Each invocation adds up a
// comb of texels, each work group its invocations.
#include "common/cascades.glsl"
#include "statistics/reduce.glsl"

layout(binding = SAMPLER_MAPS) uniform sampler2DArray maps;
uniform int cascade;

void main() {
    vec4 height = vec4(0.0), slope = vec4(0.0);
    uint all = gl_NumWorkGroups.x * THREADS;
    for (uint i = gl_GlobalInvocationID.x; i < uint(size * size); i += all) {
        ivec2 texel = ivec2(i % uint(size), i / uint(size));
        float h = texelFetch(maps, ivec3(texel, 2 * cascade), 0).x;
        vec2 s = texelFetch(maps, ivec3(texel, 2 * cascade + 1), 0).xy;
        height += vec4(h, h * h, h * h * h, h * h * h * h);
        slope += vec4(s * s, s.x * s.y, 0.0);
    }
    write_sums(height, slope, gl_WorkGroupID.x);
}
