#version 430
// Marches clouds at one pixel of four; backdrop.comp interpolates the others. Pixels with sea all around are skipped.
#include "sky/clouds_and_veil.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = IMAGE_HDR) readonly uniform image2D image;
layout(rgba16f, binding = IMAGE_CLOUDS) writeonly uniform image2D sparse;

uniform int bottom;   // row of the dispatch
uniform int sea_top;  // first row of pixels that shows only sky; the image has no light of the sea from there on

// Whether a pixel or one of its neighbours shows some sky.
bool is_seen(ivec2 pixel) {
#if OVER_ALL
    return true;
#else
    ivec2 last = imageSize(image) - 1;
    if (pixel.y + 1 >= sea_top) return true;
    for (int i = 0; i < 9; ++i)
        if (imageLoad(image, clamp(pixel + ivec2(i % 3, i / 3) - 1, ivec2(0), last)).a < 1.0) return true;
    return false;
#endif
}

void main() {
    ivec2 own = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, bottom), pixel = 2 * own;
    if (any(greaterThanEqual(own, imageSize(sparse)))) return;
    vec4 clear = vec4(0.0, 0.0, 0.0, 1.0);
    imageStore(sparse, own, is_seen(pixel) ? clouds_and_veil(vec2(pixel) + 0.5, vec2(imageSize(image))) : clear);
}
