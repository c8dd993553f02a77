// Vertices of the surface: a point of still water on the round earth, moved by the waves.
//
// Towards the end of its level's range a vertex moves onto the next level's lattice. There it is computed as the next
// level computes it, so that both have the same bits.
#include "surface/mesh.glsl"
#include "surface/displacement.glsl"

struct Vertex {
    vec2 still;      // relative position on still water: the point at which the maps are read [m]
    vec3 relative;   // relative position, displaced [m]
    float log_cell;  // binary logarithm of the mesh's cells there [m]
};

// How far vertices at a place have moved onto the next level's lattice, 0 to 1.
float morphed(Level level, vec2 place) {
    return clamp((eye_distance(place) / level.range - MORPH_BEGINS) / (MORPH_ENDS - MORPH_BEGINS), 0.0, 1.0);
}

// Where a vertex lies on still water: the corner of a square's cells, both counted from the lower left.
vec2 still_vertex(int level, ivec2 square, ivec2 corner) {
    Level own = levels[level], next = levels[level + 1];
    ivec2 vertex = own.cells * square + corner, onto = vertex / own.ratio + next.cells * own.shift;
    precise vec2 here = own.corner + own.cell * vec2(vertex);
    precise vec2 there = next.corner + next.cell * vec2(onto);
    float moved = morphed(own, here);
    precise vec2 position = (1.0 - moved) * here + moved * there;  // exact at 0 and 1
    return position;
}

// The same vertex, displaced.
Vertex mesh_vertex(int level, ivec2 square, ivec2 corner) {
    vec2 position = still_vertex(level, square, corner);
    // The waves' filter widens with the cells, as a function of the place alone.
    float widened = morphed(levels[level], position);
    precise float log_cell = (1.0 - widened) * levels[level].log_cell + widened * levels[level + 1].log_cell;
    precise vec3 place = vec3(position.x, -fall(position), position.y) + displacement(position, log_cell);
    return Vertex(position, place, log_cell);
}
