#version 430
// Writes nonlinear waves between two time steps as the amplitudes of a cascade, which evolves and transforms them like
// linear waves. The amplitudes change little in a time step, because linear motion does not change them.
#define WRITES_AMPLITUDES
#include "spectrum/wave_vectors.glsl"
#include "spectrum/amplitudes.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = SAMPLER_WAVES_BEFORE) uniform sampler2D before;
layout(binding = SAMPLER_WAVES_AFTER) uniform sampler2D after;

uniform int cascade;
uniform float from_before, from_after;  // weights

void main() {
    ivec2 bin = ivec2(gl_GlobalInvocationID.xy);
    if (!exists(bin)) return;
    ivec2 n = signed_index(bin), there = (n + POINTS) % POINTS;
    vec2 h = vec2(0.0);
    if (max(abs(n.x), abs(n.y)) < POINTS / 2)
        h = from_before * texelFetch(before, there, 0).rg + from_after * texelFetch(after, there, 0).rg;
    store_amplitude(ivec3(bin, cascade), h);
}
