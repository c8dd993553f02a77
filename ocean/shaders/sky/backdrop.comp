#version 430
// Draws sky, sun and clouds behind the sea; from under water, the open water. The alpha of the sea's light is the fraction
// of the pixel that the sea covers. With OVER_ALL, clouds are drawn in front of the sea too.
#include "sky/behind.glsl"
#if CLOUDY
#include "sky/clouds_and_veil.glsl"
#endif

#if CLOUDY
layout(local_size_x = 64) in;
#else
layout(local_size_x = 8, local_size_y = 8) in;
#endif
layout(rgba16f, binding = IMAGE_HDR) uniform image2D image;

uniform ivec2 first;  // pixel of the dispatch
uniform ivec4 disc;   // left, bottom, width and height of the sun's pixels; without clouds another dispatch draws them
uniform int sea_top;  // first row of pixels that shows only sky; the image has no light of the sea from there on

// Light of the sea in a pixel, and (a) its coverage.
vec4 sea_at(ivec2 pixel) { return pixel.y < sea_top ? imageLoad(image, pixel) : vec4(0.0); }

// Writes a pixel: clouds (`over`) before sky and sea.
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

#if CLOUDY
layout(rgba16f, binding = IMAGE_CLOUDS) readonly uniform image2D sparse;  // one pixel of 2 x 2

const int TILE = 16;
// Clouds are interpolated where the four around a pixel differ by at most ALIKE times their mean, or times DARK if
// more.
const float ALIKE = 0.1, DARK = 0.3;

shared vec4 clouds_of[TILE * TILE];
shared int wanted[TILE * TILE];
shared uint wanted_count;

// Interpolates the clouds of a pixel from the pixels around it. Returns false if these differ too much.
bool interpolated(ivec2 pixel, out vec4 mean) {
    ivec2 low = pixel / 2, high = min((pixel + 1) / 2, imageSize(sparse) - 1);
    vec4 a = imageLoad(sparse, low), b = imageLoad(sparse, ivec2(high.x, low.y));
    vec4 c = imageLoad(sparse, ivec2(low.x, high.y)), d = imageLoad(sparse, high);
    mean = 0.25 * (a + b + c + d);
    vec4 apart = max(max(a, b), max(c, d)) - min(min(a, b), min(c, d));
    return all(lessThanEqual(apart, ALIKE * max(mean, DARK)));
}

// A work group draws a tile. It lists the pixels that need a ray of their own first, so that its invocations share
// them.
void main() {
    ivec2 corner = TILE * ivec2(gl_WorkGroupID.xy) + first, size = imageSize(image);
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
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy) + first, size = imageSize(image);
    bool is_of_disc = all(greaterThanEqual(pixel, disc.xy)) && all(lessThan(pixel, disc.xy + disc.zw));
    if (any(greaterThanEqual(pixel, size)) || is_of_disc != (DISC == 1)) return;
    draw(pixel, size, vec4(0.0, 0.0, 0.0, 1.0));
}
#endif
