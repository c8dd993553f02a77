// Values of debug views that shading does not compute. Needs surface/seen.glsl.
Triangle debug_triangle;  // triangle of the pixel
vec2 debug_point;         // centre of the pixel

// Longest edge of the triangle [pixels], side of its cell [m], and coverage of the pixel by a line along the edges.
vec3 triangle_edges() {
    vec2 corners[3];  // from the pixel
    for (int i = 0; i < 3; ++i) {
        vec4 clip = debug_triangle.clips[i];
        corners[i] = (0.5 * clip.xy / max(clip.w, 1e-3) + 0.5) * vec2(picture) - debug_point;
    }
    float longest = 0.0, nearest = 1.0;
    for (int i = 0; i < 3; ++i) {
        vec2 from = corners[i], edge = corners[(i + 1) % 3] - from;
        longest = max(longest, length(edge));
        nearest = min(nearest, abs(determinant(mat2(from, edge))) / max(length(edge), 1e-6));
    }
    return vec3(longest, levels[debug_triangle.level].cell, 1.0 - nearest);
}

// |slope| of the first cascade, of the second, and of all others together, filtered as in shading.
vec3 cascade_slopes(vec2 position, vec2 dx, vec2 dy, float footprint) {
    vec2 slopes_[3] = vec2[3](vec2(0.0), vec2(0.0), vec2(0.0));
    int c = 0;
    do {
        Copies copies = find_copies(cascades[c], position);
        vec2 along = to_tile(cascades[c], dx) / cascades[c].side, across = to_tile(cascades[c], dy) / cascades[c].side;
        vec3 D = vec3(0.0);
        do {
            Copy copy = next_copy(cascades[c], copies);
            vec4 moved = textureGrad(filtered, vec3(copy.uv, 2 * c), along, across);
            vec4 bent = textureGrad(filtered, vec3(copy.uv, 2 * c + 1), along, across);
            add_derivatives(copy, moved, bent, slopes_[min(c, 2)], D);
        } while (copies.left != 0);
    } while (++c < cascade_count && footprint < cascades[c].blurred);
    return vec3(length(slopes_[0]), length(slopes_[1]), length(slopes_[2]));
}

// The foam map at a position, for a footprint [m]; 0 beyond the map.
vec4 foam_map_at(vec2 position, float footprint) {
    int level = int(max(serving_level(position, footprint), 0.0));
    return level < FOAM_LEVELS ? foam_texel(position, level) : vec4(0.0);
}
