// Where the waves move a point of still water.
#include "common/copies.glsl"

layout(binding = SAMPLER_MAPS) uniform sampler2DArray maps;

const float FINEST = -100.0;  // binary logarithm of a spacing that leaves the maps as they are

// Displacement [m] of the still-water point at `position` relative to the origin, sampled as for vertices that stand
// 2^log_spacing metres apart: (c Dx, h, c Dz), summed over the cascades that show there.
vec3 displacement(vec2 position, float log_spacing) {
    vec3 sum = vec3(0.0);
    int c = 0;
    do {
        float lod = log_spacing + log2(float(size) / cascades[c].side);
        Copies copies = find_copies(cascades[c], position);
        do {
            Copy copy = next_copy(cascades[c], copies);
            sum += copy.weight * textureLod(maps, vec3(copy.uv, 2 * c), lod).zxw;
        } while (copies.left != 0);
    } while (++c < cascade_count && log_spacing < log2(cascades[c].blurred));
    return vec3(choppiness, 1.0, choppiness) * sum;
}
