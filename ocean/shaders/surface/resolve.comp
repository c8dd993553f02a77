#version 430
// Resolves the samples of a pixel: the mean light, and (a) the fraction of samples that show the sea or the buoy. With
// COUNTS it writes the number of triangles that cover the pixel instead. It resets the samples for the next frame.
#include "surface/samples.glsl"

layout(local_size_x = 8, local_size_y = 16) in;
layout(FORMAT, binding = IMAGE_HDR) writeonly uniform image2D image;
layout(std430, binding = STORAGE_SEEN) buffer Seen { uvec4 pairs[]; };  // of samples side by side, fetched together

// Light of a sample, weighted by the number of samples that share it, and (a) this number.
vec4 light_of(uvec2 seen) {
    if (seen.x == NOTHING) return vec4(0.0);
#if COUNTS
    return vec4(float(seen.x + 1u), 0.0, 0.0, 1.0);  // surface/cover.glsl counts from -1
#else
    vec2 rest = unpackHalf2x16(seen.y);
    return rest.y * vec4(unpackHalf2x16(seen.x), rest.x, 1.0);
#endif
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID);
    if (pixel.x >= picture.x || pixel.y >= strips[strip_count - 1].top) return;
    Strip strip = strips[strip_at(float(pixel.y))];
    ivec2 count = ivec2(strip.columns, strip.rows), first = count * (pixel - ivec2(0, strip.bottom));
    if (pixel.y < strip.bottom || pixel.y >= strip.top) count.y = 0;  // rows without samples
    vec4 sum = vec4(0.0);
    for (int y = 0; y < count.y; ++y)
        for (int x = 0; x < count.x; x += 2) {
            uint slot = sample_at(strip, first + ivec2(x, y)), pair = slot / 2u;
            bool both = count.x > 1, right = (slot & 1u) == 1u;  // a single column shares its pairs with a neighbour
            uvec4 seen = pairs[pair];
            if (both || !right) sum += light_of(seen.xy);
            if (both || right) sum += light_of(seen.zw);
            if (both) pairs[pair] = uvec4(NOTHING);
            else if (right) pairs[pair].zw = uvec2(NOTHING);
            else pairs[pair].xy = uvec2(NOTHING);
        }
    imageStore(image, pixel, sum / float(max(count.x * count.y, 1)));
}
