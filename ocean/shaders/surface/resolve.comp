#version 430
// A pixel's light, the mean of its samples, and (a) the share of them that show something. Leaves all samples as they are before a
// frame.
#include "surface/samples.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = IMAGE_LIGHT) writeonly uniform image2D image;
layout(std430, binding = STORAGE_SEEN) buffer Seen { uvec2 seen[]; };

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, picture))) return;
    Strip strip = strips[strip_at(float(pixel.y) + 0.5)];
    if (pixel.y >= strip.top) {  // only sky
        imageStore(image, pixel, vec4(0.0));
        return;
    }
    ivec2 count = ivec2(strip.columns, strip.rows), first = count * (pixel - ivec2(0, strip.bottom));
    vec4 sum = vec4(0.0);
    for (int y = 0; y < count.y; ++y)
        for (int x = 0; x < count.x; ++x) {
            uint slot = sample_at(strip, first + ivec2(x, y));
            uvec2 held = seen[slot];
            vec2 rest = unpackHalf2x16(held.y);
            sum += rest.y * vec4(unpackHalf2x16(held.x), rest.x, 1.0);
            seen[slot] = uvec2(0xffffffffu);
        }
    imageStore(image, pixel, sum / float(count.x * count.y));
}
