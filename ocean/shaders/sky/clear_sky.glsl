// The sky without its clouds by its table: as the eye sees it, and as the sea does, which lies below all of the air.
#include "sky/air.glsl"
#include "sky/sky_view.glsl"

layout(binding = SAMPLER_SKY_VIEW) uniform sampler2DArray sky_view;

// Azimuth from the sun, 0 to 1.
float from_sun(vec3 direction) {
    vec2 a = direction.xz, b = sun_direction.xz;
    return acos(clamp(dot(a, b) / max(length(a) * length(b), 1e-9), -1.0, 1.0)) / PI;
}

// Where a direction lies in the table of a place that has its horizon at an elevation.
vec2 sky_uv(vec3 direction, float horizon) {
    float above = max(asin(clamp(direction.y, -1.0, 1.0)) - horizon, 0.0);
    vec2 unit = vec2(from_sun(direction), sqrt(above / (0.5 * PI - horizon)));
    return inset(unit, vec2(textureSize(sky_view, 0).xy));
}

// By two layers of the table, nu being the cosine of the angle to the sun.
vec3 radiance_by_table(float nu, vec2 uv, int layer) {
    vec3 even = textureLod(sky_view, vec3(uv, layer), 0.0).rgb, glare = textureLod(sky_view, vec3(uv, layer + 1), 0.0).rgb;
    return even + glare * aerosol_phase(nu);
}

// Radiance without the sun's disc [kcd/m²], from the eye's height and from the sea's; below the horizon that of the
// horizon.
vec3 clear_sky_radiance(vec3 direction) {
    return radiance_by_table(dot(direction, sun_direction.xyz), sky_uv(direction, dip), SKY_OF_EYE) + NIGHT;
}
vec3 clear_sky_over_sea(vec3 direction) {
    return radiance_by_table(dot(direction, sun_direction.xyz), sky_uv(direction, 0.0), SKY_OF_SEA) + NIGHT;
}

// What the air before the clouds adds to their light, of which it leaves the share `kept`; `glare` of it is single light
// by aerosols.
vec3 air_before_clouds(vec3 direction, float horizon, int place, out vec3 kept, out vec3 glare) {
    vec2 uv = sky_uv(direction, horizon);
    kept = textureLod(sky_view, vec3(uv, place + BEFORE_CLOUDS + 2), 0.0).rgb;
    glare = aerosol_phase(dot(direction, sun_direction.xyz)) * textureLod(sky_view, vec3(uv, place + BEFORE_CLOUDS + 1), 0.0).rgb;
    return textureLod(sky_view, vec3(uv, place + BEFORE_CLOUDS), 0.0).rgb + glare;
}
