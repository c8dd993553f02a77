// Second-order lift of the surface: half the square of each cascade's waves, and their products with longer waves, so that
// crests and the mean level follow second-order theory. ocean/waves/second_order.py explains it.
//
// Readers add up cascades, beginning with the longest. A is (h, Dx, Dz) [m] of one cascade, and its rates are derivatives of
// A with respect to any variable. Lifts hold at choppiness 1.
#include "common/cascades.glsl"

// Returns (h, o Dx, o Dz), with the coefficient o of the orbits.
vec3 weighted(Cascade tile, vec3 A) { return A * vec3(1.0, tile.lift.zz); }

// Returns the lift [m] by one cascade; `longer` is the weighted sum of the longer cascades.
float lift(Cascade tile, vec3 A, inout vec3 longer) {
    vec3 own = weighted(tile, A);
    float lifted = tile.lift.w + dot(A, 0.5 * tile.lift.x * own + longer);
    longer += tile.lift.y * own;
    return lifted;
}

// Returns the derivative of the lift by one cascade.
float lift_rate(Cascade tile, vec3 A, vec3 rate, inout vec3 longer, inout vec3 longer_rate) {
    vec3 own = weighted(tile, A);
    float lifted = dot(rate, tile.lift.x * own + longer) + dot(A, longer_rate);
    longer += tile.lift.y * own;
    longer_rate += tile.lift.y * weighted(tile, rate);
    return lifted;
}

// The weighted sums of the longer cascades and of their derivatives along x and z.
struct Longer { vec3 waves, along_x, along_z; };

// Returns the gradient of the lift by one cascade with this slope and D = (Dxx, Dzz, Dxz).
vec2 lift_slope(Cascade tile, vec3 A, vec2 slope, vec3 D, inout Longer longer) {
    vec3 own = weighted(tile, A), along_x = vec3(slope.x, D.xz), along_z = vec3(slope.y, D.zy);
    vec3 pull = tile.lift.x * own + longer.waves;
    vec2 lifted = vec2(dot(along_x, pull) + dot(A, longer.along_x), dot(along_z, pull) + dot(A, longer.along_z));
    longer.waves += tile.lift.y * own;
    longer.along_x += tile.lift.y * weighted(tile, along_x);
    longer.along_z += tile.lift.y * weighted(tile, along_z);
    return lifted;
}
