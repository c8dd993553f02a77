// The wave vectors of the nonlinear solver, in the tile's own axes, on a grid of POINTS x POINTS.
#include "common/cascades.glsl"
#include "spectrum/evolve.glsl"

layout(binding = SAMPLER_LOOP_STEPS) uniform usampler2D loop_steps;

uniform float dk;     // spacing of the wave vectors [rad/m]
uniform float depth;  // m
uniform float turn;   // frequency of one loop step [rad/s]
uniform int most;     // largest square of a kept wave vector, in dk²
uniform uint ticks;   // time, in 2^-32 of the loop period

struct Wave {
    vec2 k;        // rad/m
    float number;  // wave number |k| [rad/m]
    float depth;   // tanh(k depth)
    uint steps;    // loop steps
    float w;       // rad/s
    bool kept;
};

// Returns i v.
vec2 times_i(vec2 v) { return vec2(-v.y, v.x); }

// Returns the bin of -k.
ivec2 opposite(ivec2 bin) { return (POINTS - bin) % POINTS; }

// Returns the wave of a bin.
Wave wave_at(ivec2 bin) {
    ivec2 n = bin - POINTS * ivec2(greaterThanEqual(bin, ivec2(POINTS / 2)));
    Wave found;
    found.k = dk * vec2(n);
    found.number = length(found.k);
    found.depth = tanh(min(found.number * depth, 10.0));  // 1 beyond, in float32
    found.steps = texelFetch(loop_steps, bin, 0).r;
    found.w = float(found.steps) * turn;
    int square = n.x * n.x + n.y * n.y;
    found.kept = square > 0 && square <= most;
    return found;
}

// Returns the change of h(k) for a change of elevation and potential (a, b), e^{iwt} (a + i (k tanh kd / w) b) / 2. The
// spectrum of a + ib is `here` at k, and `there` at -k.
vec2 amplitude_change(Wave wave, vec2 here, vec2 there) {
    there.y = -there.y;
    vec2 a = 0.5 * (here + there), b = -0.5 * times_i(here - there);
    vec2 change = 0.5 * (a + wave.number * wave.depth / wave.w * times_i(b));
    float c = cos(phase(wave.steps, ticks)), s = sin(phase(wave.steps, ticks));
    return c * change + s * times_i(change);
}
