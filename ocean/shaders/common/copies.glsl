// Blends three copies of a tile at each point, each shifted by a random offset, so that the tile does not visibly repeat.
// The squares of the weights add up to 1 (Heitz and Neyret 2018). ocean/waves/tiles.py does the same, and explains it.
//
// Readers loop over cascades and copies with do ... while: llvmpipe runs the body of a for loop once more, with all
// invocations masked out, and the part that a continue skips too.
#include "common/cascades.glsl"

const float REACH = 0.8;             // distance from its point at which a copy ends, in edges of the lattice
const float HEIGHT = 0.86602540378;  // height of the lattice's triangles, in edges

// The triangle of the copies' lattice around a point of the sea, and the position of that point in it.
struct Copies {
    ivec2 corner;  // point of the triangle from which both lattice axes start
    float turn;    // direction from it to the other two points: +1 or -1 along each axis
    vec2 place;    // vector from the corner to the point, in edges, turned
    vec3 above;    // 1 at a point, 0 where its copy ends
    float norm;    // norm of the squares of `above`
    vec2 mean;     // weighted mean of the vectors from the three corners, for the gradients of the weights
    vec2 uv;       // texture coordinates on the tile, not shifted
    int left;      // a bit for each visible copy that has not been taken
};

struct Copy {
    vec2 uv;         // texture coordinates on the tile
    float weight;
    vec2 gradient;   // gradient of the weight [1/m]
};

// Returns the random offset of a lattice point's copy, in sides of the tile (PCG2D, Jarzynski and Olano 2020).
vec2 copy_offset(ivec2 point) {
    uvec2 v = uvec2(point) * 1664525u + 1013904223u;
    for (int i = 0; i < 2; ++i) {
        v.x += v.y * 1664525u;
        v.y += v.x * 1664525u;
        v ^= v >> 16u;
    }
    return vec2(v >> 8u) / 16777216.0;
}

// Returns the vector from the n-th corner of the triangle to a point.
vec2 away(vec2 place, int n) {
    return place - (n == 0 ? vec2(0.0) : n == 1 ? vec2(1.0, 0.0) : vec2(0.5, HEIGHT));
}

// Returns the copies that are blended at a position [m] relative to the origin.
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

// Returns the lattice point of the n-th copy.
ivec2 copy_point(Copies found, int n) {
    int turn = int(found.turn);
    return found.corner + (n == 0 ? ivec2(0) : n == 1 ? ivec2(turn, 0) : ivec2(0, turn));
}

// Returns the weights of the three copies, for readers without derivatives.
vec3 copy_weights(Cascade tile, Copies found) {
    return tile.copies == 1 ? vec3(1.0, 0.0, 0.0) : found.above * found.above / found.norm;
}

// Returns the texture coordinates on the tile for the n-th copy.
vec2 copy_uv(Cascade tile, Copies found, int n) {
    return tile.copies == 1 ? found.uv : found.uv + copy_offset(copy_point(found, n));
}

// Takes one of the remaining copies; `find_copies` leaves at least one.
Copy next_copy(Cascade tile, inout Copies found) {
    int n = findLSB(found.left);
    found.left &= found.left - 1;
    if (tile.copies == 1) return Copy(found.uv, 1.0, vec2(0.0));
    float above = found.above[n], weight = above * above / found.norm;
    vec2 over = above * away(found.place, n) - weight * found.mean;
    float scale = -4.0 * found.turn / (REACH * REACH * found.norm * COPY_SPACING * tile.side);
    return Copy(copy_uv(tile, found, n), weight, scale * to_world(tile, over));
}

// Adds a copy's slopes and (Dxx, Dzz, Dxz), from the maps (h, Dxz, Dx, Dz) and (hx, hz, Dxx, Dzz): derivatives times the
// weight, plus the field times the weight's gradient.
void add_derivatives(Copy copy, vec4 moved, vec4 derivatives, inout vec2 slope, inout vec3 D) {
    vec2 g = copy.gradient;
    slope += copy.weight * derivatives.xy + moved.x * g;
    D += copy.weight * vec3(derivatives.zw, moved.y) + vec3(g * moved.zw, 0.5 * dot(g, moved.wz));
}
