#version 430
// Integrates the sky in one work group. With CLEAR: irradiance of sun and clear sky at sea level and at the clouds,
// from the tables. Without: irradiance of the environment, its aureole, and the exposure.
#define WRITES_LIGHT
#include "sky/scattered.glsl"
#include "sky/clear_sky.glsl"
#include "sky/light.glsl"
#include "sky/environment.glsl"
#include "post/exposure.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

layout(binding = SAMPLER_ENVIRONMENT) uniform sampler2DArray environment;

uniform vec4 picture_sun;  // irradiance of the panorama's sun; a: fraction of the sky that clouds cover
uniform vec3 ahead;        // line of sight, unit vector

shared vec4 parts[256];    // irradiance; a: metered luminance of the sky and of its reflection in level water
shared float water[256];   // fraction of the metered field of view that is light from the water

// Weight of a direction in metering: a lobe as wide as a wide-angle lens, whose integral is 1 [1/sr].
float seen(vec3 direction) { return 5.0 / (2.0 * PI) * pow(max(dot(direction, ahead), 0.0), 4.0); }

const int FINE = 1;             // mip level that is summed; its blur changes the sums by 0.6 % at most
const float VEIL_MEAN = 0.155;  // mean optical depth of the veil divided by the greatest

// Transmittance of direct sunlight to a height.
vec4 beam(float height) { return sunlight(height, sun_direction.y) * unscattered(height, sun_direction.y); }

#ifdef CLEAR
shared vec3 sides[256];    // irradiance on upright surfaces from the sun's side minus the other side's

// One of 256 terms of the difference in `sides`. Elevations are spaced as in the table, since a glow lies low. Light
// that aerosols scattered once is left out: most aerosols are below the clouds.
vec3 from_side(vec2 place) {
    float elevation = 0.5 * PI * place.y * place.y, azimuth = PI * place.x;
    vec3 radiance = textureLod(sky_view, vec3(inset(place, vec2(textureSize(sky_view, 0).xy)), SKY_OF_SEA), 0.0).rgb;
    return 2.0 * PI * PI / 256.0 * place.y * pow(cos(elevation), 2.0) * cos(azimuth) * radiance;
}
#endif

void main() {
    vec2 place = (vec2(gl_LocalInvocationID.xy) + 0.5) / 16.0;
#ifdef CLEAR
    float mu = sqrt(place.y), across = sqrt(1.0 - mu * mu), azimuth = PI * place.x;
    float nu = mu * sun_direction.y + across * sqrt(1.0 - sun_direction.y * sun_direction.y) * cos(azimuth);
    vec2 uv = inset(vec2(place.x, sqrt(asin(mu) / (0.5 * PI))), vec2(textureSize(sky_view, 0).xy));
    parts[gl_LocalInvocationIndex] = vec4(PI / 256.0 * (radiance_by_table(nu, uv, SKY_OF_SEA) + NIGHT), 0.0);
    sides[gl_LocalInvocationIndex] = from_side(place);
#else
    parts[gl_LocalInvocationIndex] = vec4(0.0);
    water[gl_LocalInvocationIndex] = 0.0;
    ivec2 side = textureSize(environment, FINE).xy;
    for (int y = int(gl_LocalInvocationID.y); y < side.y; y += 16)
        for (int x = int(gl_LocalInvocationID.x); x < side.x; x += 16) {
            vec3 v = environment_direction((vec2(x, y) + 0.5) / vec2(side));  // a texel's solid angle is 2 du dv / |v|³
            float solid = 2.0 / float(side.x * side.y) * pow(dot(v, v), -1.5);
            vec3 radiance = texelFetch(environment, ivec3(x, y, 0), FINE).rgb;
            v = normalize(v);
            float below = seen(vec3(v.x, -v.y, v.z)), reflected = 0.02 + 0.98 * pow(1.0 - v.y, 5.0);  // Schlick 1994
            float metered_ = (seen(v) + below * reflected) * luminance(radiance);
            parts[gl_LocalInvocationIndex] += solid * vec4(v.y * radiance, metered_);
            water[gl_LocalInvocationIndex] += solid * below * (1.0 - reflected);
        }
#endif
    for (uint half_ = 128u; half_ > 0u; half_ /= 2u) {
        memoryBarrierShared();
        barrier();
        if (gl_LocalInvocationIndex < half_) {
            parts[gl_LocalInvocationIndex] += parts[gl_LocalInvocationIndex + half_];
            water[gl_LocalInvocationIndex] += water[gl_LocalInvocationIndex + half_];
#ifdef CLEAR
            sides[gl_LocalInvocationIndex] += sides[gl_LocalInvocationIndex + half_];
#endif
        }
    }
#ifdef CLEAR
    // One invocation computes sunlight at sea level, the other in the middle of the clouds.
    if (gl_LocalInvocationIndex > 1u) return;
    vec3 direct = rgb(solar * beam(gl_LocalInvocationIndex == 0u ? 0.0 : clouds.y + 0.5 * clouds.z));
    if (gl_LocalInvocationIndex == 1u) {
        light.cloud_sun = vec4(direct, 0.0);
        return;
    }
    if (panorama > 0.5) direct = picture_sun.rgb;
    light.clear_sky = vec4(parts[0].rgb, 0.0);
    // The veil scatters about half of its light forwards; the part of the veil that lights the clouds is 60 km away.
    float there = sun_direction.y + 60e3 / EARTH_RADIUS * sqrt(1.0 - sun_direction.y * sun_direction.y);
    light.glow = vec4(max(sides[0], 0.0) + 0.5 * VEIL_MEAN * deck.w * rgb(solar * sunlight(VEIL_HEIGHT, there)), 0.0);
    light.sun = vec4(direct, 0.0);
    // Light in the air below clouds: gaps keep the clear air's light, clouds send down the rest, and the sea reflects
    // some of it.
    vec3 sent = (deck.y - deck.x) * max(sun_direction.y, 0.0) * direct + (deck.z - deck.x) * parts[0].rgb;
    vec3 own = 2.0 * PI * rgb(solar * multiple(0.0, sun_direction.y));
    light.below = vec4(deck.x + (1.0 + SEA_ALBEDO) * sent / max(own, 1e-9), deck.x);
#else
    if (gl_LocalInvocationIndex != 0u) return;
    light.sky = vec4(parts[0].rgb, 0.0);
    // Fits the aureole: without it, the sky about the sun is as bright over a lobe of 0.09 rad as over 0.35 rad.
    vec3 at = vec3(environment_uv(sun_direction.xyz), 0.0);
    vec4 narrow = textureLod(environment, at, 2.0), peak = narrow - textureLod(environment, at, 4.0);
    vec3 bright = max(peak.rgb / max(peak.a, 1e-3), 0.0);
    vec2 horizon = environment_uv(vec3(sun_direction.x, 1e-4, sun_direction.z));
    vec3 low = textureLod(environment, vec3(horizon, 0.0), 0.0).rgb - (narrow.rgb - narrow.a * bright);
    light.aureole = vec4(bright, clamp(luminance(low) / max(luminance(bright), 1e-9), 0.0, 1.0));
    if (metering == 3.0 || (metering == 2.0 && light.meter.y > 0.0)) return;
    // Luminance of a grey card in the light that falls on the sea: half of it is level, half is turned to the sun.
    vec3 sunny = (1.0 - picture_sun.a) * light.sun.rgb, on_water = light.sky.rgb + max(sun_direction.y, 0.0) * sunny;
    float card = 1e3 * GREY / PI * luminance(light.sky.rgb + 0.5 * (max(sun_direction.y, 0.0) + 1.0) * sunny);
    float seen_ = 1e3 * (parts[0].a + water[0] / PI * luminance(water_albedo.rgb * on_water));
    // Above the clouds the card is in the sun under a clear sky, and clouds replace the sea below. A cover of a tenth
    // counts as full.
    float over = clamp((table_height - clouds.y) / clouds.z, 0.0, 1.0) * min(10.0 * picture_sun.a, 1.0);
    float above = max(sun_direction.y, 0.0);
    vec3 on_top = above * light.cloud_sun.rgb + light.clear_sky.rgb, sent_back = (1.0 - deck.z) * on_top;
    vec3 ground = mix(water_albedo.rgb * on_water, sent_back, picture_sun.a);
    vec3 clear = ((1.0 - water[0]) * light.clear_sky.rgb + water[0] * ground) / PI;
    card = mix(card, 1e3 * GREY / PI * luminance(light.clear_sky.rgb + 0.5 * (above + 1.0) * light.cloud_sun.rgb), over);
    seen_ = mix(seen_, max(1e3 * luminance(clear), USUAL * card), over);  // dark sea must not overexpose sunlit clouds
    light.meter.x = gain * (metering == 0.0 ? MANUAL : exposure_for(metered(card, seen_)));
    light.meter.y = 0.0;
#endif
}
