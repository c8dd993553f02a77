// Where the waves move a point of still water.
#include "common/copies.glsl"

#include "common/maps.glsl"

const float FINEST = -100.0;  // binary logarithm of a spacing that leaves the maps as they are
const float FADE = 0.25;      // of a doubling of the spacing, over which a cascade that ends fades

// Displacement [m] of the still-water point at `position` relative to the origin, sampled as for vertices that stand
// 2^log_spacing metres apart: (c Dx, h, c Dz), summed over the cascades that show there. Where one ends, it fades.
vec3 displacement(vec2 position, float log_spacing) {
    vec3 sum = vec3(0.0);
    int c = 0;
    do {
        float lod = log_spacing + log2(float(size) / cascades[c].side);
        float shown = clamp((log2(cascades[c].blurred) - log_spacing) / FADE, 0.0, 1.0);
        Copies copies = find_copies(cascades[c], position);
        do {
            Copy copy = next_copy(cascades[c], copies);
            sum += shown * copy.weight * textureLod(maps, vec3(copy.uv, 2 * c), lod).zxw;
        } while (copies.left != 0);
    } while (++c < cascade_count && log_spacing < log2(cascades[c].blurred));
    return vec3(choppiness, 1.0, choppiness) * sum;
}
