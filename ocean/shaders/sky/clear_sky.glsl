// The clear sky by its table.
#include "sky/air.glsl"

layout(binding = SAMPLER_SKY_VIEW) uniform sampler2DArray sky_view;

const vec3 NIGHT = vec3(2.3e-7, 2.2e-7, 2.6e-7);  // kcd/m²: airglow and the light of all stars, about 22 mag/arcsec²

// Azimuth from the sun, 0 to 1.
float from_sun(vec3 direction) {
    vec2 a = direction.xz, b = sun_direction.xz;
    return acos(clamp(dot(a, b) / max(length(a) * length(b), 1e-9), -1.0, 1.0)) / PI;
}

// Radiance without the sun's disc [kcd/m²]; below the horizon that of the horizon.
vec3 clear_sky_radiance(vec3 direction) {
    float above = max(asin(clamp(direction.y, -1.0, 1.0)) - dip, 0.0);
    vec2 unit = vec2(from_sun(direction), sqrt(above / (0.5 * PI - dip)));
    vec2 uv = inset(unit, vec2(textureSize(sky_view, 0).xy));
    vec3 even = textureLod(sky_view, vec3(uv, 0), 0.0).rgb, glare = textureLod(sky_view, vec3(uv, 1), 0.0).rgb;
    return even + glare * aerosol_phase(dot(direction, sun_direction.xyz)) + NIGHT;
}
