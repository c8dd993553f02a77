#version 430
// Computes one of the four Runge-Kutta stages of a time step of the waves h(k) [m]. Linear motion does not change h, so only
// the nonlinear rates enter.
#include "nonlinear/lattice.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rg32f, binding = IMAGE_PRODUCT) readonly uniform image2DArray rates;  // spectrum of (N_eta + i N_psi)
layout(binding = SAMPLER_WAVES_AFTER) uniform sampler2D start;              // h at the start of the time step
layout(rg32f, binding = IMAGE_WAVES_SUM) uniform image2D sum;
layout(rg32f, binding = IMAGE_WAVES_STAGE) writeonly uniform image2D stage;

uniform int number;     // number of the Runge-Kutta stage, from 0
uniform float share;    // fraction of the nonlinear terms, which ramp up slowly
uniform float part;     // s, weight of this stage's rate in the time step
uniform float ahead;    // s, from the start of the time step to the next stage

void main() {
    ivec2 bin = ivec2(gl_GlobalInvocationID.xy);
    if (max(bin.x, bin.y) >= POINTS) return;
    Wave wave = wave_at(bin);
    if (!wave.kept) return;  // stays 0
    vec2 here = imageLoad(rates, ivec3(bin, 0)).rg, there = imageLoad(rates, ivec3(opposite(bin), 0)).rg;
    vec2 rate = share * amplitude_change(wave, here, there);
    vec2 h = texelFetch(start, bin, 0).rg, after = (number == 0 ? h : imageLoad(sum, bin).rg) + part * rate;
    imageStore(sum, bin, vec4(after, 0.0, 0.0));
    imageStore(stage, bin, vec4(h + ahead * rate, 0.0, 0.0));
}
