#version 430
// Tone mapping: adds bloom, applies a tone curve, and dithers by half a step so that gradients do not band.
#include "common/noise.glsl"
#include "post/colours.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba8, binding = IMAGE_PICTURE) writeonly uniform image2D picture;

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, imageSize(picture)))) return;
    imageStore(picture, pixel, vec4(colour_of(pixel) + (noise(vec2(pixel) + 0.5) - 0.5) / 255.0, 1.0));
}
