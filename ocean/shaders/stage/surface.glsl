// What views of the surface want beyond what its shading computes. Needs the maps and derivatives.
#include "surface/mesh.glsl"
#include "common/copies.glsl"

in vec2 lattice;
flat in int drawn_level;

// Of the triangle that a pixel shows: its longest edge [px], the cell that it is half of [m], and how much of the pixel a
// line along its edges covers. Over a triangle places are linear in the lattice, so the pixel's neighbours say where its
// corners are, and so where they are seen.
vec3 triangle_edges() {
    vec2 within = fract(lattice), corners[3] = vec2[3](vec2(0.0), vec2(1.0), within.y > within.x ? vec2(0.0, 1.0) : vec2(1.0, 0.0));
    mat2x3 across = mat2x3(dFdx(relative), dFdy(relative)) * inverse(mat2(dFdx(lattice), dFdy(lattice)));
    vec4 clip = view_projection * vec4(relative, 1.0);
    vec2 here = clip.xy / clip.w, pixel = vec2(dFdx(here.x), dFdy(here.y));
    for (int i = 0; i < 3; ++i) {
        clip = view_projection * vec4(relative + across * (corners[i] - within), 1.0);
        corners[i] = (clip.xy / max(clip.w, 1e-3) - here) / pixel;  // from this pixel
    }
    float longest = 0.0, nearest = 1.0;
    for (int i = 0; i < 3; ++i) {
        vec2 from = corners[i], edge = corners[(i + 1) % 3] - from;
        longest = max(longest, length(edge));
        nearest = min(nearest, abs(determinant(mat2(from, edge))) / length(edge));
    }
    return vec3(longest, levels[drawn_level].cell, 1.0 - nearest);
}

// |slope| that the first cascade, the second and all others give a pixel, with the maps' filter of the surface.
vec3 cascade_slopes(vec2 position, vec2 dx, vec2 dy, float footprint) {
    vec2 slopes_[3] = vec2[3](vec2(0.0), vec2(0.0), vec2(0.0));
    int c = 0;
    do {
        Copies copies = find_copies(cascades[c], position);
        vec2 along = to_tile(cascades[c], dx) / cascades[c].side, across = to_tile(cascades[c], dy) / cascades[c].side;
        vec3 D = vec3(0.0);
        do {
            Copy copy = next_copy(cascades[c], copies);
            vec4 moved = textureGrad(maps, vec3(copy.uv, 2 * c), along, across);
            vec4 bent = textureGrad(derivatives, vec3(copy.uv, derivative_layer(c)), along, across);
            add_derivatives(copy, moved, bent, slopes_[min(c, 2)], D);
        } while (copies.left != 0);
    } while (++c < cascade_count && footprint < cascades[c].blurred);
    return vec3(length(slopes_[0]), length(slopes_[1]), length(slopes_[2]));
}
