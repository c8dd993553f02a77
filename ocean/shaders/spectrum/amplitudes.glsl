// The waves of each cascade: h0(k) [m] and the loop steps n(k) of each bin; z counts cascades. They are in buffers, row
// after row for kernels that run along rows, or in images (AMPLITUDE_IMAGES) if no buffer is large enough. Evolution also
// reads h0(-k), mostly from a cache: stored beside h0(k) it would cost 8 more bytes per bin from memory.
#include "spectrum/wave_vectors.glsl"

#ifdef WRITES_AMPLITUDES
#define AMPLITUDE_ACCESS writeonly
#else
#define AMPLITUDE_ACCESS readonly
#endif

#if AMPLITUDE_IMAGES
layout(rg32f, binding = IMAGE_AMPLITUDES) restrict AMPLITUDE_ACCESS uniform image2DArray amplitudes;
layout(binding = SAMPLER_STEPS) uniform usampler2DArray steps;
#else
layout(std430, binding = STORAGE_AMPLITUDES) restrict AMPLITUDE_ACCESS buffer Amplitudes { vec2 amplitudes[]; };
layout(std430, binding = STORAGE_STEPS) restrict readonly buffer Steps { uint steps[]; };

int bin_address(ivec3 bin) { return (bin.z * size + bin.y) * size + bin.x; }
#endif

#ifdef WRITES_AMPLITUDES
void store_amplitude(ivec3 bin, vec2 amplitude) {
#if AMPLITUDE_IMAGES
    imageStore(amplitudes, bin, vec4(amplitude, 0.0, 0.0));
#else
    amplitudes[bin_address(bin)] = amplitude;
#endif
}
#else
// Returns (h0(k), conj h0(-k)).
vec4 load_amplitude(ivec3 bin) {
    ivec3 there = ivec3(mirrored(bin.xy), bin.z);
#if AMPLITUDE_IMAGES
    vec2 here = imageLoad(amplitudes, bin).xy, mirror = imageLoad(amplitudes, there).xy;
#else
    vec2 here = amplitudes[bin_address(bin)], mirror = amplitudes[bin_address(there)];
#endif
    return vec4(here, mirror.x, -mirror.y);
}

uint load_steps(ivec3 bin) {
#if AMPLITUDE_IMAGES
    return texelFetch(steps, bin, 0).r;
#else
    return steps[bin_address(bin)];
#endif
}
#endif
