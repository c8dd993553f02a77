// Vertices of the surface: points of still water on the round earth, displaced by the waves. Towards the end of its
// level's range a vertex moves onto the next level's lattice. It arrives at exactly the bits that the next level
// computes, so the mesh has no cracks.
#include "surface/mesh.glsl"
#include "surface/displacement.glsl"
#include "foam/roller.glsl"

struct Vertex {
    vec2 still;      // position on still water, at which the maps are read [m], relative to the origin
    vec3 relative;   // displaced position [m]
    float log_cell;  // binary logarithm of the side of the mesh's cells there [m]
};

// Morph factor of vertices at a point of still water: 0 on their own level's lattice, 1 on the next level's.
float morphed(Level level, vec2 place) {
    return clamp((eye_distance(place) / level.range - MORPH_BEGINS) / (MORPH_ENDS - MORPH_BEGINS), 0.0, 1.0);
}

// Position of a vertex on still water [m]. `square` counts in the level's window, `corner` in the square's cells.
vec2 still_vertex(int level, ivec2 square, ivec2 corner) {
    Level own = levels[level], next = levels[level + 1];
    ivec2 vertex = own.cells * square + corner, onto = (vertex >> findMSB(own.ratio)) + next.cells * own.shift;
    precise vec2 here = own.corner + own.cell * vec2(vertex);
    precise vec2 there = next.corner + next.cell * vec2(onto);
    float moved = morphed(own, here);
    precise vec2 position = (1.0 - moved) * here + moved * there;  // exact at 0 and 1
    return position;
}

// Returns a vertex displaced by the waves, without rollers.
Vertex wave_vertex(int level, ivec2 square, ivec2 corner) {
    vec2 position = still_vertex(level, square, corner);
    // The filter of the maps widens with the cells and depends on the point alone, not on the level.
    float widened = morphed(levels[level], position);
    precise float log_cell = (1.0 - widened) * levels[level].log_cell + widened * levels[level + 1].log_cell;
    precise vec3 place = vec3(position.x, -fall(position), position.y) + displacement(position, log_cell);
    return Vertex(position, place, log_cell);
}

// Returns a vertex with its displaced position.
Vertex mesh_vertex(int level, ivec2 square, ivec2 corner) {
    Vertex vertex = wave_vertex(level, square, corner);
    precise vec3 place = vertex.relative + rolled(vertex.still, exp2(vertex.log_cell));
    return Vertex(vertex.still, place, vertex.log_cell);
}
