// The sea for renderers of other programs: displacement, normal and Jacobian of a point of still water. `Sea.bind`
// binds the block of the cascades; `Sea.maps` belongs to the texture unit SAMPLER_MAPS, `Sea.filtered` to
// SAMPLER_FILTERED.
#include "surface/displacement.glsl"
#define HIDES 0  // isotropic footprints
#include "surface/waves.glsl"

// Displacement [m], eastwards, up and southwards, of the still-water point at `position` [m], relative to the origin,
// for vertices that stand `spacing` [m] apart.
vec3 sea_displacement(vec2 position, float spacing) { return displacement(position, log2(spacing)); }

// Unit normal (xyz) and Jacobian (w) at the still-water point, of the waves that a footprint of this side [m] resolves.
vec4 sea_normal(vec2 position, float footprint) {
    vec2 slope = vec2(0.0);
    vec3 D = vec3(0.0);
    add_waves(position, vec2(0.0), vec2(0.0), footprint, true, slope, D);
    D *= choppiness;
    return vec4(normalize(surface_normal(slope, D)), jacobian(D));
}
