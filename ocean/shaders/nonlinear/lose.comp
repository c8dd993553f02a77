#version 430
// Takes the losses of a time step, by the filter at the cutoff and by breaking, from the sum of its waves h(k), and adds up
// their energy. A change d of h changes the energy by 4 w / (k tanh kd) Im(conj(-i w h + rate) d), with the nonlinear rate of
// h at the start of the time step.
#include "nonlinear/lattice.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rg32f, binding = IMAGE_PRODUCT) readonly uniform image2DArray changes;  // spectrum of (eta + i psi), by breaking
layout(binding = SAMPLER_WAVES_AFTER) uniform sampler2D start;                // h at the start of the time step
layout(rg32f, binding = IMAGE_WAVES_SUM) uniform image2D sum;                 // h after the first Runge-Kutta stage
layout(rg32f, binding = IMAGE_LOST) uniform image2D lost;                     // by filter and by breaking [m³/s²]

uniform float part;           // s, weight of the first stage's rate in the time step
uniform float filter_length;  // wave number [rad/m] of the filter
uniform float filter_power;

void main() {
    ivec2 bin = ivec2(gl_GlobalInvocationID.xy);
    if (max(bin.x, bin.y) >= POINTS) return;
    Wave wave = wave_at(bin);
    if (!wave.kept) return;  // stays 0
    vec2 h = texelFetch(start, bin, 0).rg, after = imageLoad(sum, bin).rg;
    vec2 rate = (after - h) / part - wave.w * times_i(h);
    float taken = pow(wave.number / filter_length, filter_power), kept = taken < 1e-7 ? 1.0 : exp(-taken);
    vec2 here = imageLoad(changes, ivec3(bin, 0)).rg, there = imageLoad(changes, ivec3(opposite(bin), 0)).rg;
    vec2 filtered = (kept - 1.0) * h, broken = amplitude_change(wave, here, there);
    // Energy falls with the square of an amplitude, so each loss counts with the mean of the amplitudes before and after.
    vec2 each = vec2(determinant(mat2(rate, filtered)), determinant(mat2(rate, broken)));
    each += 0.5 * wave.w * vec2(dot(filtered, filtered), dot(broken, broken));
    float factor = -4.0 * wave.w / (wave.number * wave.depth);
    imageStore(lost, bin, imageLoad(lost, bin) + vec4(factor * each, 0.0, 0.0));
    imageStore(sum, bin, vec4(after + filtered + broken, 0.0, 0.0));
}
