#version 430
// Four mip levels at once, each texel the mean of four: a work group averages 16x16 texels of the source down to one,
// through shared memory. LEVELS says how many of the four exist.
#include "common/bindings.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32f, binding = IMAGE_MIP_SOURCE) readonly uniform image2DArray source;
layout(rgba32f, binding = IMAGE_MIP_1) writeonly uniform image2DArray mip1;
layout(rgba32f, binding = IMAGE_MIP_2) writeonly uniform image2DArray mip2;
layout(rgba32f, binding = IMAGE_MIP_3) writeonly uniform image2DArray mip3;
layout(rgba32f, binding = IMAGE_MIP_4) writeonly uniform image2DArray mip4;

shared vec4 means[8][8];

// The mean of the four texels of the group's current level that make up texel t of the next.
vec4 mean_of_four(ivec2 t) {
    return 0.25 * (means[2 * t.y][2 * t.x] + means[2 * t.y][2 * t.x + 1] + means[2 * t.y + 1][2 * t.x] + means[2 * t.y + 1][2 * t.x + 1]);
}

void main() {
    ivec2 t = ivec2(gl_LocalInvocationID.xy), group = ivec2(gl_WorkGroupID.xy);
    int layer = int(gl_WorkGroupID.z);
    ivec2 first = 2 * (8 * group + t);
    vec4 mean = 0.25 * (imageLoad(source, ivec3(first, layer)) + imageLoad(source, ivec3(first + ivec2(1, 0), layer))
                      + imageLoad(source, ivec3(first + ivec2(0, 1), layer)) + imageLoad(source, ivec3(first + 1, layer)));
    imageStore(mip1, ivec3(8 * group + t, layer), mean);  // stores outside of a small level are dropped
    for (int level = 2; level <= LEVELS; ++level) {
        int side = 16 >> level;
        bool averages = max(t.x, t.y) < side;
        means[t.y][t.x] = mean;
        memoryBarrierShared();
        barrier();
        if (averages) mean = mean_of_four(t);
        barrier();
        ivec3 texel = ivec3(side * group + t, layer);
        if (averages && level == 2) imageStore(mip2, texel, mean);
        if (averages && level == 3) imageStore(mip3, texel, mean);
        if (averages && level == 4) imageStore(mip4, texel, mean);
    }
}
