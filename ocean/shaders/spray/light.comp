#version 430
// Adds the light of spray to the picture, and clears its sums for the next frame.
#include "sky/radiance.glsl"
#include "sky/view_ray.glsl"
#include "common/noise.glsl"
#include "spray/spray.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(FORMAT, binding = IMAGE_HDR) uniform image2D image;

const float ASYMMETRY_OF_DROPS = 0.76, STRAIGHT = 0.5;  // mean cosine of single scattering, and the fraction scattered once
const float ALBEDO_BELOW = 0.1;                         // mean reflectance of the sea below

// Henyey and Greenstein's phase function [1/sr], and isotropic multiply scattered light.
float drop_phase(float cosine) {
    float g = ASYMMETRY_OF_DROPS, square = 1.0 + g * g - 2.0 * g * cosine;
    return mix(1.0, (1.0 - g * g) / (square * sqrt(square)), STRAIGHT) / (4.0 * PI);
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID), size = imageSize(image);
    if (any(greaterThanEqual(pixel, size))) return;
    uint at = uint(pixel.y * size.x + pixel.x), all_ = uint(size.x * size.y);
    uvec3 sum = uvec3(sums[at], 0u, 0u);
    if (sum.x == 0u) return;
    sum.yz = uvec2(sums[at + all_], sums[at + 2u * all_]);
    sums[at] = sums[at + all_] = sums[at + 2u * all_] = 0u;
    float depth = float(sum.x) / UNIT, distance = exp2(OCTAVES * float(sum.z) / float(sum.x));
#if DEBUG
    imageStore(image, pixel, vec4(depth, distance, 0.0, 1.0));
#else
    vec3 direction = normalize(view_ray(vec2(pixel) + 0.5, vec2(size))), kept;
    vec3 added = aerial(direction, distance, noise(vec2(pixel)), kept);
    vec3 sunlight_ = sun_irradiance() * (float(sum.y) / float(sum.x));
    vec3 skylight = sky_irradiance() * ((1.0 + ALBEDO_BELOW) / (2.0 * PI));
    vec3 white = sunlight_ * drop_phase(dot(direction, sun.xyz)) + skylight;
    vec4 behind = imageLoad(image, pixel);
    float left = exp(-depth);
    imageStore(image, pixel, vec4(min(behind.rgb * left + (1.0 - left) * exposed(kept * white + added).rgb, 6e4), behind.a));
#endif
}
