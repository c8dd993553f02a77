// A place of the sea that samples show, and how places change across the cell that it is shaded for: that tells how much of the
// sea its light comes from.
struct Place {
    vec2 still;     // on still water: the point at which the maps are read [m], relative to the origin
    vec3 relative;  // displaced [m]
    vec2 dx, dy;    // of still, across a cell and up [m]
    float spacing;  // of the mesh's vertices there [m]
    vec2 face;      // mean slope of the triangles that the samples show
    vec3 scatter;   // covariance of these slopes
    float grazing;  // mean of one over what facets about each of them show to the eye, over that of their mean
    float strain;   // the triangles' mean strain
    vec2 pixel;     // where it lies in the picture
};

// The strain c (Dxx + Dzz) of a triangle that takes steps on still water, the columns of `from`, to those of `onto`.
float mesh_strain(mat2 from, mat2 onto) {
    float area = determinant(from);
    return area == 0.0 ? 0.0 : (determinant(mat2(onto[0], from[1])) + determinant(mat2(from[0], onto[1]))) / area - 2.0;
}
