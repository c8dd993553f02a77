#version 430
// Draws sky, sun and clouds behind the sea; from under water, the open water. The alpha of the sea's light is the fraction
// of the pixel that the sea covers. With OVER_ALL, clouds are drawn in front of the sea too. With DISC, the pixels that may
// show the sun are drawn, and without it all others.
#include "sky/behind.glsl"
#if CLOUDY
#include "sky/kept_clouds.glsl"
#endif

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = IMAGE_HDR) uniform image2D image;

uniform ivec2 first;   // pixel of the dispatch
uniform ivec4 disc;    // left, bottom, width and height of the sun's pixels
uniform int sea_top;   // first row of pixels that shows only sky; the image has no light of the sea from there on
uniform bool is_kept;  // the cloud map is not that of this frame alone

// Exposed radiance of clouds, and (a) their transmittance.
vec4 clouds_at(ivec2 pixel, ivec2 size) {
#if CLOUDY
#if DIVES
    if (eye.w > 0.0) return vec4(0.0, 0.0, 0.0, 1.0);
#endif
    if (!is_kept) return texelFetch(cloud_map, pixel + margin, 0);
    vec4 from;
    vec2 point = kept_point(normalize(view_ray(vec2(pixel) + 0.5, vec2(size))), from);
    return kept_clouds(point, from);
#else
    return vec4(0.0, 0.0, 0.0, 1.0);
#endif
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy) + first, size = imageSize(image);
    bool is_of_disc = all(greaterThanEqual(pixel, disc.xy)) && all(lessThan(pixel, disc.xy + disc.zw));
    if (any(greaterThanEqual(pixel, size)) || is_of_disc != (DISC == 1)) return;
    vec4 water = pixel.y < sea_top ? imageLoad(image, pixel) : vec4(0.0);
#if !OVER_ALL
    if (water.a >= 1.0) return;
#endif
    vec4 over = clouds_at(pixel, size);
    vec3 sky = water.a < 1.0 ? (1.0 - water.a) * behind(vec2(pixel) + 0.5, vec2(size)) : vec3(0.0);
#if OVER_ALL
    vec3 all_ = over.rgb + over.a * (water.rgb + sky);
#else
    vec3 all_ = water.rgb + (1.0 - water.a) * over.rgb + over.a * sky;
#endif
    imageStore(image, pixel, vec4(min(all_, 6e4), 1.0));
}
