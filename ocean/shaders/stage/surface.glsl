// What views of the surface want beyond what its shading computes. Needs the maps and derivatives.
#include "surface/mesh.glsl"
#include "common/copies.glsl"

flat in int drawn_level;

// |slope| that the first cascade, the second and all others give a pixel, with the maps' filter of the surface.
vec3 cascade_slopes(vec2 position, vec2 dx, vec2 dy, float footprint) {
    vec2 slopes_[3] = vec2[3](vec2(0.0), vec2(0.0), vec2(0.0));
    for (int c = 0; c < cascade_count; ++c) {
        if (footprint >= cascades[c].side) continue;
        Copies copies = find_copies(cascades[c], position);
        vec2 along = to_tile(cascades[c], dx) / cascades[c].side, across = to_tile(cascades[c], dy) / cascades[c].side;
        vec3 D = vec3(0.0);
        for (int i = 0; i < cascades[c].copies; ++i) {
            Copy copy = nth_copy(cascades[c], copies, i);
            vec4 moved = textureGrad(maps, vec3(copy.uv, 2 * c), along, across);
            vec4 bent = textureGrad(derivatives, vec3(copy.uv, derivative_layer(c)), along, across);
            add_derivatives(copy, moved, bent, slopes_[min(c, 2)], D);
        }
    }
    return vec3(length(slopes_[0]), length(slopes_[1]), length(slopes_[2]));
}
