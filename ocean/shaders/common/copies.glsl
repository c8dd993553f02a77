// How a tile fills the sea without repeating: a place blends three copies of the tile, each moved by a random offset of
// its own, with weights whose squares add up to 1 (Heitz and Neyret 2018). ocean/waves/copies.py says why, and is the same.
//
// Readers go through the cascades and their copies with do ... while: a software renderer runs the body of a for loop
// once more than it turns, with nobody in it, and what a continue skips too.
#include "common/cascades.glsl"

const float REACH = 0.8;             // how far from its point a copy shows, in edges of the lattice
const float HEIGHT = 0.86602540378;  // of the lattice's triangles, in edges

// The triangle of the copies' lattice that a place lies in, and the place in it.
struct Copies {
    ivec2 corner;  // its point at the right angle, where the lattice's edges are the axes
    float turn;    // to its other two points: +1 or -1 along each edge
    vec2 place;    // from the corner, in edges, turned
    vec3 above;    // 1 at a point, 0 where its copy ends
    float norm;    // of the squares of that
    vec2 mean;     // of what the copies are above 0, times the way to their points
    vec2 uv;       // texture coordinates on the tile, not moved
    int left;      // a bit for each copy that shows there and has not been taken
};

struct Copy {
    vec2 uv;         // texture coordinates on the tile
    float weight;
    vec2 gradient;   // of the weight [1/m]
};

// Random offset of a lattice point's copy, in sides of the tile (PCG2D, Jarzynski and Olano 2020).
vec2 copy_offset(ivec2 point) {
    uvec2 v = uvec2(point) * 1664525u + 1013904223u;
    for (int i = 0; i < 2; ++i) {
        v.x += v.y * 1664525u;
        v.y += v.x * 1664525u;
        v ^= v >> 16u;
    }
    return vec2(v >> 8u) / 16777216.0;
}

// The way from the triangle's n-th point to the place.
vec2 away(vec2 place, int n) {
    return place - (n == 0 ? vec2(0.0) : n == 1 ? vec2(1.0, 0.0) : vec2(0.5, HEIGHT));
}

// What a place at a position [m] relative to the origin blends.
Copies find_copies(Cascade tile, vec2 position) {
    Copies found;
    found.uv = tile_uv(tile, position);
    vec2 t = to_tile(tile, position) / (COPY_SPACING * tile.side);
    vec2 q = tile.lattice_offset + vec2(t.x - t.y * (0.5 / HEIGHT), t.y / HEIGHT), cell = floor(q), f = q - cell;
    bool upper = f.x + f.y >= 1.0;  // the triangle of the lattice cell's far corner
    found.turn = upper ? -1.0 : 1.0;
    found.corner = tile.lattice_point + ivec2(cell) + int(upper);
    f = upper ? 1.0 - f : f;
    found.place = vec2(f.x + 0.5 * f.y, HEIGHT * f.y);
    vec2 a = found.place, b = away(a, 1), c = away(a, 2);
    found.above = max(1.0 - vec3(dot(a, a), dot(b, b), dot(c, c)) / (REACH * REACH), 0.0);
    vec3 squares = found.above * found.above;
    found.norm = length(squares);
    vec3 steep = squares * found.above / found.norm;
    found.mean = steep.x * a + steep.y * b + steep.z * c;
    found.left = tile.copies == 1 ? 1 : int(found.above.x > 0.0) | int(found.above.y > 0.0) << 1 | int(found.above.z > 0.0) << 2;
    return found;
}

// Takes one of those that are left, of which there is one at first.
Copy next_copy(Cascade tile, inout Copies found) {
    int n = findLSB(found.left);
    found.left &= found.left - 1;
    if (tile.copies == 1) return Copy(found.uv, 1.0, vec2(0.0));
    int turn = int(found.turn);
    ivec2 point = found.corner + (n == 0 ? ivec2(0) : n == 1 ? ivec2(turn, 0) : ivec2(0, turn));
    float above = found.above[n], weight = above * above / found.norm;
    vec2 over = above * away(found.place, n) - weight * found.mean;
    float scale = -4.0 * found.turn / (REACH * REACH * found.norm * COPY_SPACING * tile.side);
    return Copy(found.uv + copy_offset(point), weight, scale * to_world(tile, over));
}

// Adds a copy's slopes and (Dxx, Dzz, Dxz), from the maps (h, Dxz, Dx, Dz) and (hx, hz, Dxx, Dzz): its own times its
// weight, and what the weight's gradient gives.
void add_derivatives(Copy copy, vec4 moved, vec4 derivatives, inout vec2 slope, inout vec3 D) {
    vec2 g = copy.gradient;
    slope += copy.weight * derivatives.xy + moved.x * g;
    D += copy.weight * vec3(derivatives.zw, moved.y) + vec3(g * moved.zw, 0.5 * dot(g, moved.wz));
}
