#version 430
// A pixel of the sea: exact normal from the summed derivatives of all cascades, water, foam, and the air in between.
#include "common/cascades.glsl"
#include "common/jacobian.glsl"
#include "surface/water.glsl"
#include "foam/sample.glsl"

layout(binding = SAMPLER_MAPS) uniform sampler2DArray maps;

in vec2 still;
in vec3 relative;
out vec4 colour;

void main() {
    vec2 slope = vec2(0.0);
    vec3 D = vec3(0.0);
    for (int c = 0; c < cascade_count; ++c) {
        vec2 uv = tile_uv(cascades[c], still);
        vec4 derivatives = texture(maps, vec3(uv, 2 * c + 1));
        slope += derivatives.xy;
        D += vec3(derivatives.zw, texture(maps, vec3(uv, 2 * c)).y);
    }
    D *= choppiness;
    vec3 N = surface_normal(slope, D);
    N.y = max(N.y, 0.02);  // a folded crest has no outside
    N = normalize(N);

    vec3 to_eye = eye.xyz - relative;
    float distance = length(to_eye);
    vec3 V = to_eye / distance;
    if (dot(N, V) < 0.0) N = normalize(N - 1.01 * dot(N, V) * V);  // a facet that is seen faces the eye

    vec2 dx = dFdx(still), dy = dFdy(still);
    float longer = max(length(dx), length(dy)), shorter = min(length(dx), length(dy));
    vec3 covariance = unresolved_slopes(shorter, longer);

    float crest = (relative.y + dot(still, still) / (2.0 * EARTH_RADIUS)) / max(height_scale, 1e-3);
    vec3 sunlight_ = sun_irradiance() * sun_visibility(still), kept;
    vec3 radiance = water_radiance(N, V, covariance, crest, sunlight_);
    radiance = mix(radiance, foam_radiance(N, sunlight_), foam_coverage(still, longer));
    vec3 added = aerial(-V, distance, kept);
    colour = exposed(kept * radiance + added);
}
