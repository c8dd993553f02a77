#version 430
// Computes the amplitudes from the random draw and the variance of each wave vector, while one sea blends into another:
//     h0(k) = xi(k) sqrt((1 - a) Psi0 dk² + a Psi1 dk²),   xi = (xr + i xi) / 2
// The draw stays the same, so a change of wind changes the heights of waves and not their positions.
#define WRITES_AMPLITUDES
#include "spectrum/wave_vectors.glsl"
#include "spectrum/amplitudes.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = SAMPLER_DRAW) uniform sampler2DArray draw;
layout(binding = SAMPLER_VARIANCE_FROM) uniform sampler2DArray variance_from;
layout(binding = SAMPLER_VARIANCE_TO) uniform sampler2DArray variance_to;

// Returns h0 [m] of a bin.
vec2 h0(ivec3 bin) {
    float variance = mix(texelFetch(variance_from, bin, 0).r, texelFetch(variance_to, bin, 0).r, blend);
    return texelFetch(draw, bin, 0).rg * sqrt(variance);
}

void main() {
    ivec3 bin = ivec3(gl_GlobalInvocationID);
    if (!exists(bin.xy)) return;
    store_amplitude(bin, h0(bin));
}
