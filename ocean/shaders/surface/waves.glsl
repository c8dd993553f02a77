// The waves that a pixel shows: the maps of all cascades, filtered over its footprint.
#include "common/copies.glsl"
#include "common/jacobian.glsl"

layout(binding = SAMPLER_MAPS) uniform sampler2DArray maps;
layout(binding = SAMPLER_DERIVATIVES) uniform sampler2DArray derivatives;

// Adds the derivatives of all waves that a footprint with sides dx and dy around a place does not average away.
void add_waves(vec2 place, vec2 dx, vec2 dy, float footprint, inout vec2 slope, inout vec3 D) {
    int c = 0;
    do {
        Copies copies = find_copies(cascades[c], place);
#if DEFERRED
        float lod = log2(footprint / cascades[c].side * float(size));
#else
        vec2 along = to_tile(cascades[c], dx) / cascades[c].side, across = to_tile(cascades[c], dy) / cascades[c].side;
#endif
        do {
            Copy copy = next_copy(cascades[c], copies);
#if DEFERRED
            vec4 moved = textureLod(maps, vec3(copy.uv, 2 * c), lod);
            vec4 bent = textureLod(derivatives, vec3(copy.uv, derivative_layer(c)), lod);
#else
            vec4 moved = textureGrad(maps, vec3(copy.uv, 2 * c), along, across);
            vec4 bent = textureGrad(derivatives, vec3(copy.uv, derivative_layer(c)), along, across);
#endif
            add_derivatives(copy, moved, bent, slope, D);
        } while (copies.left != 0);
    } while (++c < cascade_count && footprint < cascades[c].blurred);
}
