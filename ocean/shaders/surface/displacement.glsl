// Where the waves move a point of still water.
#include "common/copies.glsl"

layout(binding = SAMPLER_MAPS) uniform sampler2DArray maps;

const float FINEST = -100.0;  // binary logarithm of a spacing that leaves the maps as they are

// Displacement [m] of the still-water point at `position` relative to the origin, sampled as for vertices that stand
// 2^log_spacing metres apart: (c Dx, h, c Dz), summed over the cascades. A tile no larger than that has mean 0 and drops
// out.
vec3 displacement(vec2 position, float log_spacing) {
    vec3 sum = vec3(0.0);
    int c = 0, i;
    do {
        float last = log2(float(size)), lod = max(log_spacing - log2(cascades[c].side) + last, 0.0);
        if (lod >= last) continue;
        Copies copies = find_copies(cascades[c], position);
        i = 0;
        do {
            Copy copy = nth_copy(cascades[c], copies, i);
            sum += copy.weight * textureLod(maps, vec3(copy.uv, 2 * c), lod).zxw;
        } while (++i < cascades[c].copies);
    } while (++c < cascade_count);
    return vec3(choppiness, 1.0, choppiness) * sum;
}
