// A place of the sea that a sample shows, and how places change across the cell that it is shaded for: that tells how much of the
// sea the light comes from.
struct Place {
    vec2 still;             // on still water: the point at which the maps are read [m], relative to the origin
    vec3 relative;          // displaced [m]
    vec2 dx, dy;            // of still, across a cell and up
    vec3 relative_dx, relative_dy;
    float spacing;          // of the mesh's vertices there [m]
    vec2 pixel;             // where the sample lies in the picture
};
