#version 430
// Tone mapping of light that was drawn smaller than the picture: Catmull-Rom interpolation (Catmull and Rom 1974) of the
// displayed colours, along rows and then columns, limited to the range of the two nearest so that edges have no halo; then
// sharpening as by RCAS of FSR 1 (AMD 2021), stronger for a smaller image. docs/theory/light.md compares filters.
// tests/reference/picture.py is the reference implementation.
#include "common/noise.glsl"
#include "post/colours.glsl"

const int SIDE = 16, WIDE = SIDE + 2, MOST = SIDE + 5;  // pixels, pixels with their neighbours, and texels below these
const float LIMIT = 0.1875;  // largest weight of a neighbour: beyond it noise grows

layout(local_size_x = 16, local_size_y = 16) in;
layout(rgba8, binding = IMAGE_PICTURE) writeonly uniform image2D picture;

shared vec3 texels[MOST * MOST];
shared vec3 rows[MOST * WIDE];
shared vec3 pixels[WIDE * WIDE];

// Loops over the elements of an array that this invocation computes.
#define EACH(i, count) for (int i = int(gl_LocalInvocationIndex); i < (count); i += SIDE * SIDE)

// Column and row of an element. Software renderers divide integers slowly.
ivec2 element(int i, int wide) {
    int row = int((float(i) + 0.5) / float(wide));
    return ivec2(i - row * wide, row);
}

// Position of a pixel among the drawn texels, along an axis; beyond the picture's edge that of its outermost pixel.
float place(int pixel, int shown, float scale) { return (float(clamp(pixel, 0, shown - 1)) + 0.5) * scale - 0.5; }

// Interpolates at a fraction t from b to c.
vec3 between(vec3 a, vec3 b, vec3 c, vec3 d, float t) {
    vec3 curved = b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)));
    return clamp(curved, min(b, c), max(b, c));
}

// Subtracts a part of the neighbours, small enough that no colour leaves 0 to 1.
vec3 sharpened(int at, float strength) {
    vec3 a = pixels[at - 1], b = pixels[at + 1], c = pixels[at - WIDE], d = pixels[at + WIDE], here = pixels[at];
    vec3 low = min(min(a, b), min(c, d)), high = max(max(a, b), max(c, d));
    vec3 room = min(min(low, here) / max(4.0 * high, 1e-6), (1.0 - max(high, here)) / max(4.0 - 4.0 * low, 1e-6));
    float share = strength * clamp(min(room.r, min(room.g, room.b)), 0.0, LIMIT);
    return (here - share * (a + b + c + d)) / (1.0 - 4.0 * share);
}

void main() {
    ivec2 drawn = textureSize(hdr, 0), shown = imageSize(picture), corner = ivec2(gl_WorkGroupID.xy) * SIDE - 1;
    vec2 scale = vec2(drawn) / vec2(shown);
    ivec2 base = ivec2(floor(vec2(place(corner.x, shown.x, scale.x), place(corner.y, shown.y, scale.y)))) - 1;
    ivec2 count = min(ivec2(float(WIDE - 1) * scale) + 5, MOST);
    EACH(i, count.x * count.y)
        texels[i] = colour_of(clamp(base + element(i, count.x), ivec2(0), drawn - 1));
    memoryBarrierShared();
    barrier();
    EACH(i, WIDE * count.y) {
        ivec2 to = element(i, WIDE);
        float x = place(corner.x + to.x, shown.x, scale.x);
        int at = to.y * count.x + int(floor(x)) - 1 - base.x;
        rows[i] = between(texels[at], texels[at + 1], texels[at + 2], texels[at + 3], fract(x));
    }
    memoryBarrierShared();
    barrier();
    EACH(i, WIDE * WIDE) {
        ivec2 to = element(i, WIDE);
        float y = place(corner.y + to.y, shown.y, scale.y);
        int at = (int(floor(y)) - 1 - base.y) * WIDE + to.x;
        pixels[i] = between(rows[at], rows[at + WIDE], rows[at + 2 * WIDE], rows[at + 3 * WIDE], fract(y));
    }
    memoryBarrierShared();
    barrier();
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), here = ivec2(gl_LocalInvocationID.xy) + 1;
    if (any(greaterThanEqual(pixel, shown))) return;
    vec3 colour = sharpened(here.y * WIDE + here.x, 0.5 / scale.y - 0.5);
    imageStore(picture, pixel, vec4(colour + (noise(vec2(pixel) + 0.5) - 0.5) / 255.0, 1.0));
}
