// The light around the sea, for shading: linear Rec. 709, radiance in kcd/m², irradiance in klx.
#include "common/view.glsl"
#include "sky/clear_sky.glsl"
#include "sky/light.glsl"
#include "sky/shadow.glsl"
#include "sky/environment.glsl"
#include "sky/aerial.glsl"

layout(binding = SAMPLER_ENVIRONMENT) uniform sampler2DArray environment;
layout(binding = SAMPLER_AERIAL) uniform sampler2DArray aerial_table;
layout(binding = SAMPLER_SHADOW) uniform sampler2D shadow_table;

// Radiance of the sky with clouds and without the sun's disc: the mean over the part above the horizon of a Gaussian
// lobe around a direction (unit vector; directions below the horizon are moved onto it). `spread` is the lobe's
// standard deviation along each axis [rad]. (a) is the mean of the aureole. A mean of two mip levels has the mean of
// their variances.
vec4 sky_radiance(vec3 direction, float spread) {
    float ratio = spread / lobe_deviation(0.5 * float(textureSize(environment, 0).x)), octaves = log2(max(ratio, 1.0));
    float lod = ratio < 1.0 ? ratio * ratio : 1.0 + floor(octaves) + (exp2(2.0 * fract(octaves)) - 1.0) / 3.0;
    return textureLod(environment, vec3(environment_uv(direction), 0), lod);
}

// Irradiance of the sun at sea level on a surface that faces it; `sun_visibility` is the factor for clouds.
vec3 sun_irradiance() { return light.sun.rgb; }

// Transmittance of the clouds for sunlight towards a point of the sea [m], relative to the origin; 1 for a CLEAR sky.
#ifdef CLEAR
float sun_visibility(vec2 position) { return 1.0; }
#else
float sun_visibility(vec2 position) { return textureLod(shadow_table, shadow_uv(position + drift - carried), 0.0).r; }
#endif

// Irradiance of the sky on level water.
vec3 sky_irradiance() { return light.sky.rgb; }

// Sunlight in the air below clouds along a ray of this length [m] from the eye, divided by the mean in the tables:
// shafts of light between shadows. A point of the air is as bright as the point of the sea in its shadow. `steps`
// samples are taken, the first at the fraction `start` of a step.
#ifdef CLEAR
float sunlit_air(vec3 direction, float distance, int steps, float start) { return 1.0; }
#else
float sunlit_air(vec3 direction, float distance, int steps, float start) {
    // Contrast of the shafts: metering ignores them, and at 1 views to the sun would be white.
    const float SHAFTS = 0.25;
    const float REACH = 12e3;   // m: beyond this distance the mean holds
    const float LEAST_MEAN = 0.05;  // smaller means are too inaccurate to divide by
    float mean = light.below.a, more = 0.0, under = 0.0, step = min(distance, REACH) / float(steps);
    if (sun_direction.y <= 0.0 || clouds.x >= 1.0) return 1.0;
    for (int i = 0; i < steps; ++i) {
        vec3 p = vec3(0.0, eye.y, 0.0) + step * (float(i) + start) * direction;
        if (p.y >= clouds.y) continue;  // above the clouds' base
        more += sun_visibility(p.xz - p.y / sun_direction.y * sun_direction.xz) - mean;
        under += 1.0;
    }
    more /= max(float(steps) + under * (mean - 1.0), LEAST_MEAN * float(steps));
    return 1.0 + SHAFTS * min(REACH / distance, 1.0) * more;
}
#endif

const float SHAFT_STEP = 750.0;  // m: nearer air is so thin that one sample of its shadows is enough

// Radiance of the air between the eye and a point of the sea `distance` metres away, with the shafts of `sunlit_air`,
// and its transmittance `kept`.
vec3 aerial(vec3 direction, float distance, float start, out vec3 kept) {
    vec2 unit = vec2(from_sun(direction), pow(clamp(distance / FARTHEST, 0.0, 1.0), 1.0 / 3.0));
    vec2 uv = inset(unit, vec2(textureSize(aerial_table, 0).xy));
    kept = textureLod(aerial_table, vec3(uv, 2), 0.0).rgb;
    vec3 even = textureLod(aerial_table, vec3(uv, 0), 0.0).rgb, glare = textureLod(aerial_table, vec3(uv, 1), 0.0).rgb;
    if (panorama > 0.5) return (1.0 - kept) * light.sky.rgb / PI;  // haze has the panorama's mean colour
    int steps = int(clamp(ceil(distance / SHAFT_STEP), 1.0, 16.0));
    return even + glare * aerosol_phase(dot(direction, sun_direction.xyz)) * sunlit_air(direction, distance, steps, start)
        + (1.0 - kept) * NIGHT;
}

// Radiance times exposure, within the range of half floats.
vec4 exposed(vec3 radiance) { return vec4(min(light.meter.x * radiance, 6e4), 1.0); }
