// The light around the sea, for all who shade: linear Rec. 709, radiance in kcd/m², irradiance in klx.
#include "common/view.glsl"
#include "sky/clear_sky.glsl"
#include "sky/light.glsl"
#include "sky/shadow.glsl"
#include "sky/environment.glsl"
#include "sky/aerial.glsl"

layout(binding = SAMPLER_ENVIRONMENT) uniform sampler2DArray environment;
layout(binding = SAMPLER_AERIAL) uniform sampler2DArray aerial_table;
layout(binding = SAMPLER_SHADOW) uniform sampler2D shadow_table;

// Radiance of the sky, clouds included and without the sun's disc, as the mean over a Gaussian lobe around a direction
// (unit vector; taken to the horizon from below) whose deviation along each axis is `spread` [rad], as far as it lies
// above the horizon; a: of an aureole. A mean of two mip levels has the mean of their lobes' variances.
vec4 sky_radiance(vec3 direction, float spread) {
    float ratio = spread / lobe_deviation(0.5 * float(textureSize(environment, 0).x)), octaves = log2(max(ratio, 1.0));
    float lod = ratio < 1.0 ? ratio * ratio : 1.0 + floor(octaves) + (exp2(2.0 * fract(octaves)) - 1.0) / 3.0;
    return textureLod(environment, vec3(environment_uv(direction), 0), lod);
}

// Irradiance of the sun at sea level on a surface that faces it, without clouds: times sun_visibility with them.
vec3 sun_irradiance() { return light.sun.rgb; }

// Share of the sun's light that passes the clouds towards a point of the sea, relative to the origin: all of it where a
// program is for a CLEAR sky.
#ifdef CLEAR
float sun_visibility(vec2 position) { return 1.0; }
#else
float sun_visibility(vec2 position) { return textureLod(shadow_table, shadow_uv(position + drift - carried), 0.0).r; }
#endif

// Irradiance of the sky on level water.
vec3 sky_irradiance() { return light.sky.rgb; }

// Sun in the air below clouds along a ray of this length [m] from the eye, over the mean that the tables have: shafts of
// light between shadows. A point of the air gets what the point of the sea gets that its shadow would fall on. By so
// many samples, the first of which is `start` of a step from the eye.
#ifdef CLEAR
float sunlit_air(vec3 direction, float distance, int steps, float start) { return 1.0; }
#else
float sunlit_air(vec3 direction, float distance, int steps, float start) {
    // How much of the contrast is drawn: all of it leaves views to the sun white, for what is metered has none. Beyond so
    // many metres all is as the mean. Where clouds pass less than the least on average, so little is not known well enough
    // to be divided by.
    const float SHAFTS = 0.25, REACH = 12e3, LEAST_MEAN = 0.05;
    float mean = light.below.a, more = 0.0, under = 0.0, step = min(distance, REACH) / float(steps);
    if (sun_direction.y <= 0.0 || clouds.x >= 1.0) return 1.0;
    for (int i = 0; i < steps; ++i) {
        vec3 p = vec3(0.0, eye.y, 0.0) + step * (float(i) + start) * direction;
        if (p.y >= clouds.y) continue;  // where all of the sun's light is
        more += sun_visibility(p.xz - p.y / sun_direction.y * sun_direction.xz) - mean;
        under += 1.0;
    }
    more /= max(float(steps) + under * (mean - 1.0), LEAST_MEAN * float(steps));
    return 1.0 + SHAFTS * min(REACH / distance, 1.0) * more;
}
#endif

// The air between the eye and a point of the sea `distance` metres away in a direction: the share `kept` of the point's
// radiance, and what is added to it, with shafts as `sunlit_air` finds them from its `start`.
vec3 aerial(vec3 direction, float distance, float start, out vec3 kept) {
    vec2 unit = vec2(from_sun(direction), pow(clamp(distance / FARTHEST, 0.0, 1.0), 1.0 / 3.0));
    vec2 uv = inset(unit, vec2(textureSize(aerial_table, 0).xy));
    kept = textureLod(aerial_table, vec3(uv, 2), 0.0).rgb;
    vec3 even = textureLod(aerial_table, vec3(uv, 0), 0.0).rgb, glare = textureLod(aerial_table, vec3(uv, 1), 0.0).rgb;
    if (panorama > 0.5) return (1.0 - kept) * light.sky.rgb / PI;  // haze under it has the sky's mean colour
    return even + glare * aerosol_phase(dot(direction, sun_direction.xyz)) * sunlit_air(direction, distance, 16, start)
        + (1.0 - kept) * NIGHT;
}

// Radiance as it is written to the picture: exposed, and within what half floats hold.
vec4 exposed(vec3 radiance) { return vec4(min(light.meter.x * radiance, 6e4), 1.0); }
