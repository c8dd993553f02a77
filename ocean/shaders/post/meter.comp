#version 430
// Automatic exposure: moves the exposure of the next frames towards the geometric mean of the picture's luminance, over
// a grid of pixels. One work group.
#define WRITES_LIGHT
#include "sky/air.glsl"
#include "sky/light.glsl"
#include "post/exposure.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

layout(binding = SAMPLER_HDR) uniform sampler2D hdr;

const int GRID = 96;  // samples along a side

shared float parts[256];

void main() {
    ivec2 size = textureSize(hdr, 0);
    float sum = 0.0;
    for (int y = int(gl_LocalInvocationID.y); y < GRID; y += 16)
        for (int x = int(gl_LocalInvocationID.x); x < GRID; x += 16)
            sum += log2(max(luminance(texelFetch(hdr, size * (2 * ivec2(x, y) + 1) / (2 * GRID), 0).rgb), 1e-6));
    parts[gl_LocalInvocationIndex] = sum / float(GRID * GRID);
    for (uint half_ = 128u; half_ > 0u; half_ /= 2u) {
        memoryBarrierShared();
        barrier();
        if (gl_LocalInvocationIndex < half_) parts[gl_LocalInvocationIndex] += parts[gl_LocalInvocationIndex + half_];
    }
    if (gl_LocalInvocationIndex != 0u) return;
    float seen = 1e3 * exp2(parts[0]) / light.meter.x;  // cd/m²
    float before = light.meter.y > 0.0 ? light.meter.y : seen;
    light.meter.y = before * pow(seen / before, adaptation);
    light.meter.x = gain * exposure_for(light.meter.y) / BRIGHT;
}
