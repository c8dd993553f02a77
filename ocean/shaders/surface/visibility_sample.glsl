// Visibility sample: a point of the sea that a sample of the picture shows, and its footprint, the area of still water
// that the cell of the sample covers.
struct VisibilitySample {
    vec2 still;     // position on still water, at which the maps are read [m], relative to the origin
    vec3 relative;  // displaced position [m]
    vec2 dx, dy;    // sides of the footprint: change of `still` across the cell and up [m]
    float spacing;  // spacing of the mesh's vertices [m]
    vec2 face;      // mean slope of the visible triangles
    vec3 scatter;   // covariance of the slopes of the visible triangles
    float grazing;  // visible area at the mean slope times the mean of 1 / visible area over the triangles
    float strain;   // mean strain of the triangles
    vec2 pixel;     // position in the picture [pixels]
};

// Returns a visibility sample without the slope and strain of its triangle.
VisibilitySample flat_sample(vec2 still, vec3 relative, vec2 dx, vec2 dy, float spacing, vec2 pixel) {
    return VisibilitySample(still, relative, dx, dy, spacing, vec2(0.0), vec3(0.0), 1.0, 0.0, pixel);
}

// Strain c (Dxx + Dzz) of a triangle whose edges are the columns of `from` on still water [m], of `onto` displaced [m].
float mesh_strain(mat2 from, mat2 onto) {
    float area = determinant(from);
    return area == 0.0 ? 0.0 : (determinant(mat2(onto[0], from[1])) + determinant(mat2(from[0], onto[1]))) / area - 2.0;
}
