#version 430
// Computes up to three levels of the bloom's pyramid from the next finer one: each texel is the mean over its area. The second
// and third have exactly half the size of the one before, so that a work group makes them in shared memory.
#include "common/bindings.glsl"
#include "post/bloom.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = SAMPLER_BLOOM) uniform sampler2D source;
layout(rgba32f, binding = IMAGE_SKY) writeonly uniform image2D target;
layout(rgba32f, binding = IMAGE_MIP_1) writeonly uniform image2D second;
layout(rgba32f, binding = IMAGE_MIP_2) writeonly uniform image2D third;

uniform int levels;

shared vec3 means[8][8];

void main() {
    ivec2 t = ivec2(gl_LocalInvocationID), group = ivec2(gl_WorkGroupID), texel = ivec2(gl_GlobalInvocationID), size = imageSize(target);
    vec3 mean = mean_over(source, min(texel, size - 1), size);
    if (all(lessThan(texel, size))) imageStore(target, texel, vec4(mean, 1.0));
    for (int level = 2; level <= levels; ++level) {
        int side = 16 >> level;
        means[t.y][t.x] = mean;
        memoryBarrierShared();
        barrier();
        ivec2 at = min(2 * t, 6);
        mean = 0.25 * (means[at.y][at.x] + means[at.y][at.x + 1] + means[at.y + 1][at.x] + means[at.y + 1][at.x + 1]);
        barrier();
        if (max(t.x, t.y) >= side) continue;
        if (level == 2) imageStore(second, side * group + t, vec4(mean, 1.0));  // stores outside of a level are dropped
        else imageStore(third, side * group + t, vec4(mean, 1.0));
    }
}
