#version 430
// Resolves the samples of a pixel: the mean light, and (a) the share of samples that show the sea or the buoy. It
// resets the samples for the next frame.
#include "surface/samples.glsl"

layout(local_size_x = 32, local_size_y = 4) in;
layout(rgba16f, binding = IMAGE_LIGHT) writeonly uniform image2D image;
layout(std430, binding = STORAGE_SEEN) buffer Seen { uvec2 seen[]; };

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID);
    if (pixel.x >= picture.x || pixel.y >= strips[strip_count - 1].top) return;
    Strip strip = strips[strip_at(float(pixel.y))];
    ivec2 count = ivec2(strip.columns, strip.rows), first = count * (pixel - ivec2(0, strip.bottom));
    if (pixel.y < strip.bottom || pixel.y >= strip.top) count.y = 0;  // rows without samples
    vec4 sum = vec4(0.0);
    for (int y = 0; y < count.y; ++y)
        for (int x = 0; x < count.x; ++x) {
            uint slot = sample_at(strip, first + ivec2(x, y));
            uvec2 held = seen[slot];
            if (held.x == NOTHING) continue;
            vec2 rest = unpackHalf2x16(held.y);
            sum += rest.y * vec4(unpackHalf2x16(held.x), rest.x, 1.0);
            seen[slot] = uvec2(NOTHING);
        }
    imageStore(image, pixel, sum / float(max(count.x * count.y, 1)));
}
