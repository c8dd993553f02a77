// Derivatives of the waves that a pixel resolves: the maps of all cascades, filtered over its footprint.
#include "common/copies.glsl"
#include "common/jacobian.glsl"
#include "common/maps.glsl"
#include "common/second_order.glsl"

#if !HIDES
#define LOOK_AT(array, copy, layer) textureLod(array, vec3(copy.uv, layer), lod)
#else
#define LOOK_AT(array, copy, layer) textureGrad(array, vec3(copy.uv, layer), along, across)
#endif

// Adds slope, with the lift's, and D = (Dxx, Dzz, Dxz) at a point of still water. The texture unit filters
// them over a footprint with sides dx and dy [m]. Without `all_terms`, slope, Dxz and the gradient of the copies'
// weights are left out: 1 % of the strain, for half the fetches of the maps.
void add_waves(vec2 place, vec2 dx, vec2 dy, float footprint, bool all_terms, inout vec2 slope, inout vec3 D) {
    Longer longer = Longer(vec3(0.0), vec3(0.0), vec3(0.0));
    vec2 lifted = vec2(0.0);
    int c = 0;
    do {
        Copies copies = find_copies(cascades[c], place);
        vec2 slope_before = slope;
        vec3 D_before = D, A = vec3(0.0);
#if !HIDES
        float lod = log2(footprint / cascades[c].side * float(size));
#else
        vec2 along = to_tile(cascades[c], dx) / cascades[c].side, across = to_tile(cascades[c], dy) / cascades[c].side;
#endif
        do {
            Copy copy = next_copy(cascades[c], copies);
            vec4 moved = all_terms ? LOOK_AT(filtered, copy, 2 * c) : vec4(0.0);
            add_derivatives(copy, moved, LOOK_AT(filtered, copy, 2 * c + 1), slope, D);
            A += copy.weight * moved.xzw;
        } while (copies.left != 0);
        lifted += lift_slope(cascades[c], A, slope - slope_before, D - D_before, longer);
    } while (++c < cascade_count && footprint < cascades[c].blurred);
    slope += choppiness * lifted;
}
