#version 430
// Vertices of the surface: a point of still water on the round earth, moved by the waves.
//
// Towards the end of its level's range a vertex moves onto the next level's lattice. There it is computed as the next
// level computes it, so that both have the same bits.
#include "surface/mesh.glsl"
#include "surface/displacement.glsl"

in ivec4 square;   // place in the level's window, and the level

out vec2 still;    // relative position on still water: the point that the maps are read at
out vec3 relative; // relative position of the vertex
out float spacing;  // of the mesh's vertices there [m]
out vec2 lattice;   // place in the square, in cells
flat out int drawn_level;
precise gl_Position;

// How far vertices at a place have moved onto the next level's lattice, 0 to 1.
float way(Level level, vec2 place) {
    return clamp((eye_distance(place) / level.range - MORPH_BEGINS) / (MORPH_ENDS - MORPH_BEGINS), 0.0, 1.0);
}

void main() {
    Level own = levels[square.z], next = levels[square.z + 1];
    int row = own.cells + 1;
    ivec2 inner = ivec2(gl_VertexID % row, gl_VertexID / row), vertex = own.cells * square.xy + inner;
    ivec2 onto = vertex / own.ratio + next.cells * own.shift;
    precise vec2 here = own.corner + own.cell * vec2(vertex);
    precise vec2 there = next.corner + next.cell * vec2(onto);
    float moved = way(own, here);
    precise vec2 position = (1.0 - moved) * here + moved * there;  // exact at 0 and 1

    // The waves' filter widens with the cells, as a function of the place alone.
    float widened = way(own, position);
    precise float log_cell = (1.0 - widened) * own.log_cell + widened * next.log_cell;
    precise vec3 place = vec3(position.x, -fall(position), position.y) + displacement(position, log_cell);
    still = position;
    relative = place;
    spacing = exp2(log_cell);
    lattice = vec2(inner);
    drawn_level = square.z;
    gl_Position = view_projection * vec4(place, 1.0);
}
