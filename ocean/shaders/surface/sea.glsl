// The sea for renderers of other programs: displacement, normal and Jacobian of a point of still water. `Sea.bind` binds the
// block of the cascades; `Sea.maps` belongs to the texture unit SAMPLER_MAPS, `Sea.filtered` to SAMPLER_FILTERED.
#include "surface/displacement.glsl"
#include "common/jacobian.glsl"

// Displacement [m], eastwards, up and southwards, of the still-water point at `position` [m], relative to the origin, for
// vertices that stand `spacing` [m] apart.
vec3 sea_displacement(vec2 position, float spacing) { return displacement(position, log2(spacing)); }

// Unit normal (xyz) and Jacobian (w) at the still-water point, of the waves that a footprint of that side [m] resolves.
vec4 sea_normal(vec2 position, float footprint) {
    vec2 slope = vec2(0.0), lifted = vec2(0.0);
    vec3 D = vec3(0.0);
    Longer longer = Longer(vec3(0.0), vec3(0.0), vec3(0.0));
    int c = 0;
    do {
        float lod = log2(footprint * float(size) / cascades[c].side);
        Copies copies = find_copies(cascades[c], position);
        vec2 slope_before = slope;
        vec3 D_before = D, A = vec3(0.0);
        do {
            Copy copy = next_copy(cascades[c], copies);
            vec4 moved = textureLod(filtered, vec3(copy.uv, 2 * c), lod);
            add_derivatives(copy, moved, textureLod(filtered, vec3(copy.uv, 2 * c + 1), lod), slope, D);
            A += copy.weight * moved.xzw;
        } while (copies.left != 0);
        lifted += lift_slope(cascades[c], A, slope - slope_before, D - D_before, longer);
    } while (++c < cascade_count && footprint < cascades[c].blurred);
    D *= choppiness;
    return vec4(normalize(surface_normal(slope + choppiness * lifted, D)), jacobian(D));
}
