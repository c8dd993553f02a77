#version 430
// What is seen where there is no water: sky, sun and clouds, and from under water its depths. Goes behind the light of the sea,
// whose alpha is the share of a pixel that it covers; clouds OVER_ALL go before it.
#include "sky/behind.glsl"
#if CLOUDY
#include "sky/clouds_and_veil.glsl"
#endif

#if CLOUDY
layout(local_size_x = 64) in;
#else
layout(local_size_x = 8, local_size_y = 8) in;
#endif
layout(rgba16f, binding = IMAGE_LIGHT) uniform image2D image;

uniform int sea_top;  // row of pixels from which on there is only sky, and no light of the sea has been written

// The sea's light, and the share of a pixel that it covers.
vec4 sea_at(ivec2 pixel) { return pixel.y < sea_top ? imageLoad(image, pixel) : vec4(0.0); }

#if CLOUDY
layout(rgba16f, binding = IMAGE_CLOUDS) readonly uniform image2D sparse;  // of every other pixel along both axes

const int TILE = 16;
const float ALIKE = 0.1, DARK = 0.3;  // share by which clouds around a pixel may differ to be interpolated, over what they are at least

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

// The light of a pixel of clouds `over` what is behind them.
void draw(ivec2 pixel, ivec2 size, vec4 over) {
    vec4 water = sea_at(pixel);
#if DIVES
    if (eye.w > 0.0) over = vec4(0.0, 0.0, 0.0, 1.0);
#endif
#if OVER_ALL
    vec3 seen = water.a < 1.0 ? behind(vec2(pixel) + 0.5, vec2(size)) : vec3(0.0);
    imageStore(image, pixel, vec4(min(over.rgb + over.a * (water.rgb + (1.0 - water.a) * seen), 6e4), 1.0));
#else
    if (water.a >= 1.0) return;
    vec3 seen = over.rgb + over.a * behind(vec2(pixel) + 0.5, vec2(size));
    imageStore(image, pixel, vec4(min(water.rgb + (1.0 - water.a) * seen, 6e4), 1.0));
#endif
}

// A work group draws a tile. First it finds the pixels that need rays of their own, so that all invocations march some.
void main() {
    ivec2 corner = TILE * ivec2(gl_WorkGroupID.xy), size = imageSize(image);
    int t = int(gl_LocalInvocationIndex);
    if (t == 0) wanted_count = 0u;
    memoryBarrierShared();
    barrier();
    for (int i = t; i < TILE * TILE; i += 64) {
        ivec2 pixel = corner + ivec2(i % TILE, i / TILE);
        if (any(greaterThanEqual(pixel, size))) continue;
#if !OVER_ALL
        if (sea_at(pixel).a >= 1.0) continue;
#endif
        if (((pixel.x | pixel.y) & 1) == 0) clouds_of[i] = imageLoad(sparse, pixel / 2);
        else if (!interpolated(pixel, clouds_of[i])) wanted[atomicAdd(wanted_count, 1u)] = i;
    }
    memoryBarrierShared();
    barrier();
    for (uint k = uint(t); k < wanted_count; k += 64u) {
        int i = wanted[k];
        clouds_of[i] = clouds_and_veil(vec2(corner + ivec2(i % TILE, i / TILE)) + 0.5, vec2(size));
    }
    memoryBarrierShared();
    barrier();
    for (int i = t; i < TILE * TILE; i += 64) {
        ivec2 pixel = corner + ivec2(i % TILE, i / TILE);
        if (all(lessThan(pixel, size))) draw(pixel, size, clouds_of[i]);
    }
}
#else
void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(image);
    if (any(greaterThanEqual(pixel, size))) return;
    vec4 water = sea_at(pixel);
    if (water.a < 1.0) imageStore(image, pixel, vec4(min(water.rgb + (1.0 - water.a) * behind(vec2(pixel) + 0.5, vec2(size)), 6e4), 1.0));
}
#endif
