// Where the waves move a point of still water.
#include "common/cascades.glsl"

layout(binding = SAMPLER_MAPS) uniform sampler2DArray maps;

// Displacement [m] of the still-water point at `position` relative to the origin, sampled as for vertices that stand
// `spacing` metres apart: (c Dx, h, c Dz), summed over the cascades.
vec3 displacement(vec2 position, float spacing) {
    vec3 sum = vec3(0.0);
    for (int c = 0; c < cascade_count; ++c) {
        float lod = log2(max(spacing * float(size) / cascades[c].side, 1.0));
        vec4 map = textureLod(maps, vec3(tile_uv(cascades[c], position), 2 * c), lod);
        sum += vec3(choppiness * map.z, map.x, choppiness * map.w);
    }
    return sum;
}
