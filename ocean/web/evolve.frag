// The spectrum of all cascades at the time of their clocks, packed for the transform: one texel for each wave vector,
// the cascades side by side. Half floats need numbers near 1, so heights are in units of their standard deviation, and
// lengths in that deviation over the slopes' (`units`).
#include "spectrum/wave_vectors.glsl"
#include "spectrum/evolve.glsl"

uniform sampler2D amplitudes;  // h0(k) and the conjugate of h0(-k)
uniform usampler2D steps;      // turns in a loop of the clock
uniform vec2 units[4];         // m, per cascade: standard deviation of the height; that over the slope's

layout(location = 0) out vec4 displacement;
layout(location = 1) out vec4 derivatives;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int c = texel.x / size;
    vec2 k = wave_vector(cascades[c], ivec2(texel.x % size, texel.y));
    vec2 D = orbits(k, cascades[c]);
    vec2 H = evolve(texelFetch(amplitudes, texel, 0), texelFetch(steps, texel, 0).r, cascades[c].ticks) / units[c].x;
    k *= units[c].y;
    displacement = pack_displacement(H, k, D);
    derivatives = pack_derivatives(H, k, D);
}
