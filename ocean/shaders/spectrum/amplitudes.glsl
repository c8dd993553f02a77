// The waves of each cascade: (h0(k), conj h0(-k)) and the loop steps n(k) of each bin, z counting cascades. In buffers row
// after row, as kernels that go along rows read them fastest, or in images (AMPLITUDE_IMAGES) where no buffer is so large.
#include "common/cascades.glsl"

#ifdef WRITES_AMPLITUDES
#define AMPLITUDE_ACCESS writeonly
#else
#define AMPLITUDE_ACCESS readonly
#endif

#if AMPLITUDE_IMAGES
layout(rgba32f, binding = IMAGE_AMPLITUDES) restrict AMPLITUDE_ACCESS uniform image2DArray amplitudes;
layout(binding = SAMPLER_STEPS) uniform usampler2DArray steps;
#else
layout(std430, binding = STORAGE_AMPLITUDES) restrict AMPLITUDE_ACCESS buffer Amplitudes { vec4 amplitudes[]; };
layout(std430, binding = STORAGE_STEPS) restrict readonly buffer Steps { uint steps[]; };

int bin_address(ivec3 bin) { return (bin.z * size + bin.y) * size + bin.x; }
#endif

#ifdef WRITES_AMPLITUDES
void store_amplitude(ivec3 bin, vec4 amplitude) {
#if AMPLITUDE_IMAGES
    imageStore(amplitudes, bin, amplitude);
#else
    amplitudes[bin_address(bin)] = amplitude;
#endif
}
#else
vec4 load_amplitude(ivec3 bin) {
#if AMPLITUDE_IMAGES
    return imageLoad(amplitudes, bin);
#else
    return amplitudes[bin_address(bin)];
#endif
}

uint load_steps(ivec3 bin) {
#if AMPLITUDE_IMAGES
    return texelFetch(steps, bin, 0).r;
#else
    return steps[bin_address(bin)];
#endif
}
#endif
