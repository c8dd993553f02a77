#version 430
// Computes up to four mip levels at once; each texel is the mean over its area. A work group averages 16x16 texels of the
// source down to one, through shared memory, while sides halve exactly. A source with an odd side gives one level, from
// TAPS = 3 texels along each axis instead of 2. Every EVERYth layer of the source is used, from the first on.
#include "common/bindings.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(FORMAT, binding = IMAGE_MIP_SOURCE) readonly uniform image2DArray source;
layout(FORMAT, binding = IMAGE_MIP_1) writeonly uniform image2DArray mip1;
layout(FORMAT, binding = IMAGE_MIP_2) writeonly uniform image2DArray mip2;
layout(FORMAT, binding = IMAGE_MIP_3) writeonly uniform image2DArray mip3;
layout(FORMAT, binding = IMAGE_MIP_4) writeonly uniform image2DArray mip4;

shared vec4 means[8][8];

// Returns the weights of the source's texels 2t, 2t + 1, 2t + 2 in texel t of the next level, along one axis. A side of
// 2m + 1 becomes m, so each new texel is 2 + 1/m old ones wide and begins t/m after 2t (Guthe and Heckbert 2005,
// "Non-power-of-two mipmap creation"). All old texels have equal weight in total, so the mean over the tile stays, and no
// texel crosses the tile's edge.
vec3 weights(int t) {
#if TAPS == 2
    return vec3(0.5, 0.5, 0.0);
#else
    int side = imageSize(source).x, m = side / 2;
    return vec3(m - t, m, t + 1) / float(side);
#endif
}

// Returns a texel of the next level: the weighted mean of TAPS x TAPS texels of the source.
vec4 mean_of_source(ivec3 texel) {
    vec3 wx = weights(texel.x), wy = weights(texel.y);
    vec4 sum = vec4(0.0);
    for (int j = 0; j < TAPS; ++j)
        for (int i = 0; i < TAPS; ++i)
            sum += wx[i] * wy[j] * imageLoad(source, ivec3(2 * texel.xy + ivec2(i, j), texel.z));
    return sum;
}

// Returns texel t of the next level: the mean of four texels of the group's current level.
vec4 mean_of_four(ivec2 t) {
    return 0.25 * (means[2 * t.y][2 * t.x] + means[2 * t.y][2 * t.x + 1] + means[2 * t.y + 1][2 * t.x] + means[2 * t.y + 1][2 * t.x + 1]);
}

void main() {
    ivec2 t = ivec2(gl_LocalInvocationID.xy), group = ivec2(gl_WorkGroupID.xy);
    int layer = EVERY * int(gl_WorkGroupID.z);
    vec4 mean = mean_of_source(ivec3(8 * group + t, layer));
    imageStore(mip1, ivec3(8 * group + t, layer), mean);  // stores outside of a level are dropped
    int levels = min(findLSB(imageSize(source).x), 4);
    for (int level = 2; level <= levels; ++level) {
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
