// The clear sky by its table: as the eye sees it, and as the sea does, which lies below all of the air.
#include "sky/air.glsl"
#include "sky/sky_view.glsl"

layout(binding = SAMPLER_SKY_VIEW) uniform sampler2DArray sky_view;

const vec3 NIGHT = vec3(2.3e-7, 2.2e-7, 2.6e-7);  // kcd/m²: airglow and the light of all stars, about 22 mag/arcsec²

// Azimuth from the sun, 0 to 1.
float from_sun(vec3 direction) {
    vec2 a = direction.xz, b = sun_direction.xz;
    return acos(clamp(dot(a, b) / max(length(a) * length(b), 1e-9), -1.0, 1.0)) / PI;
}

// By two layers of the table, of a place that has its horizon at an elevation.
vec3 radiance_by_table(vec3 direction, float horizon, int layer) {
    float above = max(asin(clamp(direction.y, -1.0, 1.0)) - horizon, 0.0);
    vec2 unit = vec2(from_sun(direction), sqrt(above / (0.5 * PI - horizon)));
    vec2 uv = inset(unit, vec2(textureSize(sky_view, 0).xy));
    vec3 even = textureLod(sky_view, vec3(uv, layer), 0.0).rgb, glare = textureLod(sky_view, vec3(uv, layer + 1), 0.0).rgb;
    return even + glare * aerosol_phase(dot(direction, sun_direction.xyz)) + NIGHT;
}

// Radiance without the sun's disc [kcd/m²], from the eye's height and from the sea's; below the horizon that of the
// horizon.
vec3 clear_sky_radiance(vec3 direction) { return radiance_by_table(direction, dip, SKY_OF_EYE); }
vec3 clear_sky_over_sea(vec3 direction) { return radiance_by_table(direction, 0.0, SKY_OF_SEA); }
