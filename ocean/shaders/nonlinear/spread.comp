#version 430
// Writes the spectra of all fields of order M, packed for the transform: for real a and b the inverse transform of A + iB is
// a + ib. Strains and order 1 come from the waves h(k) of a Runge-Kutta stage: the elevation is their sum at the stage's time, with the
// potential of linear waves (`evolve.glsl`). A higher order comes from the spectrum of its potential at still water.
#include "nonlinear/lattice.glsl"
#include "nonlinear/fields.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

#if PACKED == 2
layout(rgba32f, binding = IMAGE_FRONT) writeonly uniform image2DArray front;
#else
layout(rg32f, binding = IMAGE_FRONT) writeonly uniform image2DArray front;
#endif
#if M <= 1
layout(binding = SAMPLER_WAVES_BEFORE) uniform sampler2D waves;
#else
layout(rg32f, binding = IMAGE_PRODUCT) readonly uniform image2DArray potential;
#endif

vec2 elevation, first;  // elevation of this wave vector; its potential of order M
Wave wave;

// Returns the factor of the n-th vertical derivative at still water.
float vertical(int n) {
    float power = n % 2 == 1 ? wave.depth : 1.0;
    for (int i = 0; i < n; ++i) power *= wave.number;
    return power;
}

// Returns the spectrum of field f.
vec2 field(int f) {
    if (f >= field_count(M) || !wave.kept) return vec2(0.0);
#if M == 0
    return (f < 2 ? wave.k.x : wave.k.y) * (f == 0 ? wave.k.x : wave.k.y) / (wave.number * wave.depth) * elevation;
#elif M == 1
    if (f == 0) return elevation;
    if (f < 3) return (f == 1 ? wave.k.x : wave.k.y) * times_i(first);
    if (f < SURFACE_FIELDS) return (f == 3 ? wave.k.x : wave.k.y) * times_i(elevation);
    return vertical(f - SURFACE_FIELDS + 1) * first;
#else
    return vertical(f + 1) * first;
#endif
}

void main() {
    ivec2 bin = ivec2(gl_GlobalInvocationID.xy);
    if (max(bin.x, bin.y) >= POINTS) return;
    int layer = int(gl_GlobalInvocationID.z);
    wave = wave_at(bin);
    elevation = first = vec2(0.0);
    if (wave.kept) {
#if M <= 1
        vec2 here = texelFetch(waves, bin, 0).rg, there = texelFetch(waves, opposite(bin), 0).rg;
        vec4 amplitude = vec4(here, there.x, -there.y);
        elevation = evolve(amplitude, wave.steps, ticks);
        first = wave.w / (wave.number * wave.depth) * evolve_turned(amplitude, wave.steps, ticks);
#else
        first = imageLoad(potential, ivec3(bin, 0)).rg;
#endif
    }
    int f = 4 * layer;
    vec2 a = field(f) + times_i(field(f + 1)), b = field(f + 2) + times_i(field(f + 3));
    imageStore(front, ivec3(bin, layer), vec4(a, b));
}
