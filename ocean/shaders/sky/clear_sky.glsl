// The sky without clouds, read from its table: seen from the eye's height, and from the sea.
#include "sky/air.glsl"
#include "sky/sky_view.glsl"

layout(binding = SAMPLER_SKY_VIEW) uniform sampler2DArray sky_view;

// Azimuth of a direction from the sun's, in half turns (0 to 1).
float from_sun(vec3 direction) {
    vec2 a = direction.xz, b = sun_direction.xz;
    return acos(clamp(dot(a, b) / max(length(a) * length(b), 1e-9), -1.0, 1.0)) / PI;
}

// Texture coordinates of a direction, for a viewpoint with the horizon at this elevation [rad].
vec2 sky_uv(vec3 direction, float horizon) {
    float above = max(asin(clamp(direction.y, -1.0, 1.0)) - horizon, 0.0);
    vec2 unit = vec2(from_sun(direction), sqrt(above / (0.5 * PI - horizon)));
    return inset(unit, vec2(textureSize(sky_view, 0).xy));
}

// Radiance [kcd/m²] from two layers of the table; nu is the cosine of the angle to the sun.
vec3 radiance_by_table(float nu, vec2 uv, int layer) {
    vec3 even = textureLod(sky_view, vec3(uv, layer), 0.0).rgb, glare = textureLod(sky_view, vec3(uv, layer + 1), 0.0).rgb;
    return even + glare * aerosol_phase(nu);
}

// Radiance without the sun's disc [kcd/m²], seen from the eye's height, and from the sea. Directions below the horizon
// get the radiance on the horizon.
vec3 clear_sky_radiance(vec3 direction) {
    return radiance_by_table(dot(direction, sun_direction.xyz), sky_uv(direction, dip), SKY_OF_EYE) + NIGHT;
}
vec3 clear_sky_over_sea(vec3 direction) {
    return radiance_by_table(dot(direction, sun_direction.xyz), sky_uv(direction, 0.0), SKY_OF_SEA) + NIGHT;
}

// Radiance of the air between the eye and the clouds [kcd/m²], its transmittance `kept`, and the part `glare` of the
// radiance that aerosols scattered once. `viewpoint` is SKY_OF_EYE or SKY_OF_SEA.
vec3 air_before_clouds(vec3 direction, float horizon, int viewpoint, out vec3 kept, out vec3 glare) {
    vec2 uv = sky_uv(direction, horizon);
    int layer = viewpoint + BEFORE_CLOUDS;
    kept = textureLod(sky_view, vec3(uv, layer + 2), 0.0).rgb;
    glare = aerosol_phase(dot(direction, sun_direction.xyz)) * textureLod(sky_view, vec3(uv, layer + 1), 0.0).rgb;
    return textureLod(sky_view, vec3(uv, layer), 0.0).rgb + glare;
}
