// How a tile fills the sea without repeating: a place blends three copies of the tile, each moved by a random offset of
// its own, with weights whose squares add up to 1 (Heitz and Neyret 2018). ocean/waves/copies.py says why, and is the same.
#include "common/cascades.glsl"

const float LEAST = 0.25;              // barycentric weight below which a copy does not show
const float UNIT_Q = 0.57735026919;    // 1 / sqrt(3)

struct Copy {
    vec2 uv;        // texture coordinates on the tile
    float weight;
    vec2 gradient;  // of the weight [1/m]
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

// The copies that a position [m] relative to the origin blends.
void find_copies(Cascade tile, vec2 position, out Copy copies[3]) {
    float spacing = COPY_SPACING * tile.side;
    vec2 t = to_tile(tile, position) / spacing;
    vec2 q = tile.lattice_offset + vec2(t.x - t.y * UNIT_Q, 2.0 * t.y * UNIT_Q);
    ivec2 cell = ivec2(floor(q)), first = tile.lattice_point + cell;
    vec2 f = q - floor(q);
    bool upper = f.x + f.y >= 1.0;  // the triangle of the lattice cell's far corner
    float sign_ = upper ? -1.0 : 1.0;
    int far = int(upper);
    ivec2 points[3] = ivec2[](first + far, first + ivec2(1 - far, far), first + ivec2(far, 1 - far));
    vec3 shares = vec3(sign_ * (1.0 - f.x - f.y), upper ? 1.0 - f : f);
    vec3 above = max(shares - LEAST, 0.0);
    vec3 raw = above * above;
    float norm = length(raw);
    vec3 weights = raw / norm;
    vec3 slopes = 2.0 * sign_ * above / norm;  // of raw / norm, norm held, over the share
    vec2 each[3] = vec2[](vec2(-slopes.x), vec2(slopes.y, 0.0), vec2(0.0, slopes.z));
    vec2 common_ = weights.x * each[0] + weights.y * each[1] + weights.z * each[2];
    vec2 uv = tile_uv(tile, position);
    for (int i = 0; i < 3; ++i) {
        vec2 over = (each[i] - weights[i] * common_) / spacing;
        vec2 gradient = to_world(tile, vec2(over.x, (2.0 * over.y - over.x) * UNIT_Q));
        copies[i] = Copy(uv + copy_offset(points[i]), weights[i], gradient);
    }
}

// Adds a copy's slopes and (Dxx, Dzz, Dxz), from the maps (h, Dxz, Dx, Dz) and (hx, hz, Dxx, Dzz): its own times its
// weight, and what the weight's gradient gives.
void add_derivatives(Copy copy, vec4 moved, vec4 derivatives, inout vec2 slope, inout vec3 D) {
    vec2 g = copy.gradient;
    slope += copy.weight * derivatives.xy + moved.x * g;
    D += copy.weight * vec3(derivatives.zw, moved.y) + vec3(g * moved.zw, 0.5 * dot(g, moved.wz));
}
