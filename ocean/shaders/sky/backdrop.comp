#version 430
// What is seen where there is no water: sky, sun and clouds, and from under water its depths. Goes behind the light of the sea,
// whose alpha is the share of a pixel that it covers; clouds OVER_ALL go before it.
#include "sky/overhead.glsl"
#if PANORAMA
#include "sky/panorama.glsl"
#endif
#if DIVES
#include "surface/underwater.glsl"
#endif

layout(local_size_x = 64) in;
layout(rgba16f, binding = IMAGE_LIGHT) uniform image2D image;
#if CLOUDY
layout(rgba16f, binding = IMAGE_CLOUDS) readonly uniform image2D sparse;  // of every other pixel along both axes

const int TILE = 16;
const float ALIKE = 0.1, DARK = 0.3;   // share by which clouds around a pixel may differ to be interpolated, over what they are at least

shared vec4 clouds_of[TILE * TILE];
shared int wanted[TILE * TILE];
shared uint wanted_count;

// Clouds at a pixel by those around it; false where they differ too much to say.
bool interpolated(ivec2 pixel, out vec4 mean) {
    ivec2 low = pixel / 2, high = min((pixel + 1) / 2, imageSize(sparse) - 1);
    vec4 a = imageLoad(sparse, low), b = imageLoad(sparse, ivec2(high.x, low.y));
    vec4 c = imageLoad(sparse, ivec2(low.x, high.y)), d = imageLoad(sparse, high);
    mean = 0.25 * (a + b + c + d);
    vec4 apart = max(max(a, b), max(c, d)) - min(min(a, b), min(c, d));
    return all(lessThanEqual(apart, ALIKE * max(mean, DARK)));
}
#else
const int TILE = 16;
#endif

// The sea's light, and the share of a pixel that it covers.
vec4 sea_at(ivec2 pixel) { return pixel.y < sea_top ? imageLoad(image, pixel) : vec4(0.0); }

// The sun's disc, as its light comes through clear air or that of a PANORAMA.
vec3 sun_disc(vec3 direction, vec2 point, vec2 size) {
    float off = length(cross(direction, sun.xyz)), edge = sqrt(1.0 - sun.w * sun.w);  // sines of angles from the middle
    if (dot(direction, sun.xyz) <= 0.0 || off > 4.0 * edge + 0.05) return vec3(0.0);
    float beside = length(cross(normalize(sight(point + vec2(1.0, 0.0), size)), sun.xyz));
    float above = length(cross(normalize(sight(point + vec2(0.0, 1.0), size)), sun.xyz));
    float disc = clamp(0.5 + (edge - off) / max(abs(beside - off) + abs(above - off), 1e-6), 0.0, 1.0);
    if (disc <= 0.0) return vec3(0.0);
#if PANORAMA
    vec3 irradiance = sun_irradiance();
#else
    float mu = max(direction.y, horizon_cosine(table_height));  // what of it is behind the horizon, the sea hides
    vec3 irradiance = rgb(solar * transmittance(table_height, mu) * unscattered(table_height, mu));
#endif
    return disc / (2.0 * PI * (1.0 - sun.w)) * irradiance;
}

vec3 behind(vec2 point, vec2 size) {
    vec3 direction = normalize(sight(point, size));
#if DIVES
    if (eye.w > 0.0) return exposed(open_water(direction, eye.w)).rgb;
#endif
#if PANORAMA
    vec3 sky = panorama_radiance(direction, 0.0);
#else
    vec3 sky = clear_sky_radiance(direction);
#endif
    return exposed(sky + sun_disc(direction, point, size)).rgb;
}

void main() {
    ivec2 corner = TILE * ivec2(gl_WorkGroupID.xy), size = imageSize(image);
    int t = int(gl_LocalInvocationIndex);
#if CLOUDY
    if (t == 0) wanted_count = 0u;
    memoryBarrierShared();
    barrier();
    for (int i = t; i < TILE * TILE; i += 64) {
        ivec2 pixel = corner + ivec2(i % TILE, i / TILE);
        if (any(greaterThanEqual(pixel, size))) continue;
#if !OVER_ALL
        if (sea_at(pixel).a >= 1.0) continue;
#endif
        if (!interpolated(pixel, clouds_of[i]) && ((pixel.x | pixel.y) & 1) != 0) wanted[atomicAdd(wanted_count, 1u)] = i;
        else if (((pixel.x | pixel.y) & 1) == 0) clouds_of[i] = imageLoad(sparse, pixel / 2);
    }
    memoryBarrierShared();
    barrier();
    for (uint k = uint(t); k < wanted_count; k += 64u) {
        int i = wanted[k];
        clouds_of[i] = overhead(vec2(corner + ivec2(i % TILE, i / TILE)) + 0.5, vec2(size));
    }
    memoryBarrierShared();
    barrier();
#endif
    for (int i = t; i < TILE * TILE; i += 64) {
        ivec2 pixel = corner + ivec2(i % TILE, i / TILE);
        if (any(greaterThanEqual(pixel, size))) continue;
        vec4 water = sea_at(pixel);
        vec3 seen = vec3(0.0);
        if (water.a < 1.0) seen = behind(vec2(pixel) + 0.5, vec2(size));
#if CLOUDY
        vec4 over = clouds_of[i];
#if DIVES
        if (eye.w > 0.0) over = vec4(0.0, 0.0, 0.0, 1.0);
#endif
#if OVER_ALL
        vec3 light_ = over.rgb + over.a * (water.rgb + (1.0 - water.a) * seen);
        imageStore(image, pixel, vec4(min(light_, 6e4), 1.0));
        continue;
#endif
        if (water.a < 1.0) seen = over.rgb + over.a * seen;
#endif
        if (water.a < 1.0) imageStore(image, pixel, vec4(min(water.rgb + (1.0 - water.a) * seen, 6e4), 1.0));
    }
}
