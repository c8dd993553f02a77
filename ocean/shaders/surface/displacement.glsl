// Displacement of a point of still water by the waves.
#include "common/copies.glsl"
#include "common/maps.glsl"
#include "common/second_order.glsl"

const float FINEST = -100.0;  // log_spacing at which the maps are read unfiltered
const float FADE = 0.25;      // octaves of spacing over which a cascade fades out
const float SHARPER = 1.5;    // octaves by which the maps are finer than the vertices' spacing (docs/theory/mesh.md)

// Whether the filter hides all waves of a cascade. A shader may define it as false, which costs time alone.
#ifndef IS_HIDDEN
#define IS_HIDDEN(c) (log_spacing >= log2(cascades[c].blurred))
#endif

// Displacement (Dx, h, Dz) of a cascade's n-th copy.
vec3 copy_moved(int c, Copies copies, int n, float lod) {
    return textureLod(maps, vec3(copy_uv(cascades[c], copies, n), 2 * c), lod).zxw;
}

// Displacement (c Dx, h + c lift, c Dz) [m] of the still-water point at `position` [m], relative to the origin,
// filtered for vertices that stand 2^log_spacing metres apart. It sums the cascades that have waves longer than the
// filter.
vec3 displacement(vec2 position, float log_spacing) {
    vec3 sum = vec3(0.0), longer = vec3(0.0);
    float lifted = 0.0;
    int c = 0;
    do {
        float lod = log_spacing + log2(float(size) / cascades[c].side) - SHARPER;
        float shown = clamp((log2(cascades[c].blurred) - log_spacing) / FADE, 0.0, 1.0);
        Copies copies = find_copies(cascades[c], position);
        vec3 before = sum, weights = shown * copy_weights(cascades[c], copies);
        // Written out: fetches overlap on GPUs, and llvmpipe takes longer for a loop.
        if (weights.x != 0.0) sum += weights.x * copy_moved(c, copies, 0, lod);
        if (weights.y != 0.0) sum += weights.y * copy_moved(c, copies, 1, lod);
        if (weights.z != 0.0) sum += weights.z * copy_moved(c, copies, 2, lod);
        lifted += lift(cascades[c], (sum - before).yxz, longer);
    } while (++c < cascade_count && !IS_HIDDEN(c));
    return vec3(choppiness, 1.0, choppiness) * sum + vec3(0.0, choppiness * lifted, 0.0);
}
