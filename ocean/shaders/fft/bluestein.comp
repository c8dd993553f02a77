#version 430
// Bluestein's transform of any number of elements, SAMPLES (Govindaraju et al. 2008, section IV.E). With the chirp
// c[j] = e^{direction pi i j^2 / SAMPLES} and j k = (j^2 + k^2 - (k - j)^2) / 2,
//     X[k] = c[k] sum_j (x[j] c[j]) conj(c[k - j]),
// which is a convolution. Padded to SIZE >= 2 SAMPLES - 1, a power of two, it is two transforms of length SIZE. Between
// them each element is multiplied by the transform of conj(c). All data stay in registers and shared memory.
#include "fft/lines.glsl"
#define TRANSFORMS 2
#include "fft/registers.glsl"
#include "fft/elements.glsl"
#include "fft/chirp.glsl"

void main() {
    EACH(RADIX_0,
        int j = input_index(RADIX_0, i);
        v[i] = j < SAMPLES ? cmul(load_element(j), directed(chirp[j])) : Element(0.0))
    // The inverse transform of y is the conjugate of the transform of its conjugate. For a power of two the results lie
    // in the input registers of the first stage: register m holds element thread + m THREADS.
    for (int back = 0; back < 2; ++back) {
        transform_registers();
        EACH(LAST_RADIX,
            Root w = back == 0 ? directed(spectrum[input_index(LAST_RADIX, i)]) : Root(1.0, 0.0);
            v[i] = conjugate(cmul(v[i], w)))
    }
    EACH(LAST_RADIX,
        int k = input_index(LAST_RADIX, i);
        if (k < SAMPLES) store_element(k, cmul(v[i], directed(chirp[k]))))
}
