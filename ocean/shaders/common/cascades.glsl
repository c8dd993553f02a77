// The tiles in use, and the lookup of a world point on them.
//
// Positions are relative to the sea's origin (the point below the camera), so that float32 is exact enough far from the
// origin of the world: `offset` is the position of the sea's origin on each tile, reduced in float64 on the CPU. A tile's
// texel (i, j) lies at tile coordinates (i, j) side / size. tile_uv adds half a texel, because texture coordinates put the
// centre of the first texel at 0.5 / size.
#include "common/bindings.glsl"

#define MAX_CASCADES 8
#define COPY_SPACING 0.6  // edge of the copies' lattice, in sides of the tile

struct Cascade {
    vec2 rotation;  // cosine and sine of R, from tile axes to world axes
    vec2 offset;    // R^T origin / side, in [0, 1)
    float side;     // m
    float depth;    // m
    uint ticks;     // time, in 2^-32 of the loop period
    int copies;     // tile copies blended at a point: 3, or 1 if the tile repeats
    ivec2 lattice_point;  // point of the copies' lattice near the origin
    vec2 lattice_offset;  // offset of the origin from that point, along the lattice's edges
    float blurred;  // m, side of a square over which the waves of this and later cascades average out
    float turn;     // frequency of one loop step [rad/s]
    vec4 lift;      // coefficients of common/second_order.glsl: own, cross [1/m], orbit, rise [m]
};

layout(std140, binding = BLOCK_CASCADES) uniform Cascades {
    Cascade cascades[MAX_CASCADES];
    int cascade_count;
    int size;           // texels along a side
    float choppiness;
    float blend;        // progress from variance_from (0) to variance_to (1)
};

// Returns R v: a vector in tile axes as a vector in world axes.
vec2 to_world(Cascade tile, vec2 v) {
    return vec2(tile.rotation.x * v.x - tile.rotation.y * v.y, tile.rotation.y * v.x + tile.rotation.x * v.y);
}

// Returns R^T v: a vector in world axes as a vector in tile axes.
vec2 to_tile(Cascade tile, vec2 v) {
    return vec2(tile.rotation.x * v.x + tile.rotation.y * v.y, tile.rotation.x * v.y - tile.rotation.y * v.x);
}

// Returns the texture coordinates on a tile of a position [m] relative to the origin.
vec2 tile_uv(Cascade tile, vec2 position) {
    return tile.offset + to_tile(tile, position) / tile.side + 0.5 / float(size);
}
