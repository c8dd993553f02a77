#version 430
// Tone mapping of light that was drawn smaller than the picture: Catmull-Rom interpolation (Catmull and Rom 1974) of the
// displayed colours, within the range of the four nearest ones so that edges have no halo, and then sharpening as by RCAS
// of FSR 1 (AMD 2021), the stronger the smaller the light. docs/theory/light.md compares filters.
// tests/reference/picture.py is the reference implementation.
#include "common/noise.glsl"
#include "post/colours.glsl"

const int SIDE = 16, WIDE = SIDE + 2, MOST = SIDE + 5;  // pixels, pixels with their neighbours, and texels below these
const float LIMIT = 0.1875;  // largest weight of a neighbour: beyond it noise grows

layout(local_size_x = 16, local_size_y = 16) in;
layout(rgba8, binding = IMAGE_PICTURE) writeonly uniform image2D picture;

shared vec3 texels[MOST * MOST];
shared vec3 pixels[WIDE * WIDE];

vec4 weights(float t) {
    return vec4(t * (-0.5 + t * (1.0 - 0.5 * t)), 1.0 + t * t * (1.5 * t - 2.5), t * (0.5 + t * (2.0 - 1.5 * t)),
                t * t * (0.5 * t - 0.5));
}

vec3 enlarged(ivec2 first, vec2 fraction) {
    vec4 across = weights(fraction.x), up = weights(fraction.y);
    vec3 sum = vec3(0.0);
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) sum += across[x] * up[y] * texels[(first.y + y) * MOST + first.x + x];
    int at = (first.y + 1) * MOST + first.x + 1;
    vec3 a = texels[at], b = texels[at + 1], c = texels[at + MOST], d = texels[at + MOST + 1];
    return clamp(sum, min(min(a, b), min(c, d)), max(max(a, b), max(c, d)));
}

// Subtracts a part of the neighbours, as far as no colour leaves 0 to 1 and none passes the range of the neighbours.
vec3 sharpened(int at, float strength) {
    vec3 a = pixels[at - 1], b = pixels[at + 1], c = pixels[at - WIDE], d = pixels[at + WIDE], here = pixels[at];
    vec3 low = min(min(a, b), min(c, d)), high = max(max(a, b), max(c, d));
    vec3 room = min(min(low, here) / max(4.0 * high, 1e-6), (1.0 - max(high, here)) / max(4.0 - 4.0 * low, 1e-6));
    float share = strength * clamp(min(room.r, min(room.g, room.b)), 0.0, LIMIT);
    return (here - share * (a + b + c + d)) / (1.0 - 4.0 * share);
}

void main() {
    ivec2 drawn = textureSize(hdr, 0), shown = imageSize(picture);
    vec2 scale = vec2(drawn) / vec2(shown);
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * SIDE - 1;
    ivec2 base = ivec2(floor((vec2(max(corner, 0)) + 0.5) * scale - 0.5)) - 1;
    for (int i = int(gl_LocalInvocationIndex); i < MOST * MOST; i += SIDE * SIDE)
        texels[i] = colour_of(clamp(base + ivec2(i % MOST, i / MOST), ivec2(0), drawn - 1));
    memoryBarrierShared();
    barrier();
    for (int i = int(gl_LocalInvocationIndex); i < WIDE * WIDE; i += SIDE * SIDE) {
        vec2 place = (vec2(clamp(corner + ivec2(i % WIDE, i / WIDE), ivec2(0), shown - 1)) + 0.5) * scale - 0.5;
        pixels[i] = enlarged(ivec2(floor(place)) - 1 - base, fract(place));
    }
    memoryBarrierShared();
    barrier();
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), here = ivec2(gl_LocalInvocationID.xy) + 1;
    if (any(greaterThanEqual(pixel, shown))) return;
    vec3 colour = sharpened(here.y * WIDE + here.x, 0.5 / scale.y - 0.5);
    imageStore(picture, pixel, vec4(colour + (noise(vec2(pixel) + 0.5) - 0.5) / 255.0, 1.0));
}
