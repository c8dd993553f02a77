// Butterflies among the registers of an invocation.
#include "fft/butterflies.glsl"

Element v[ELEMENTS];  // registers: indices are constant once loops are unrolled, so that v needs no memory

#define USE(R)                                              \
    if (radix == R) {                                       \
        Element x[R];                                       \
        for (int q = 0; q < R; ++q) x[q] = v[i + q * s];    \
        dft(x);                                             \
        for (int q = 0; q < R; ++q) v[i + q * s] = x[q];    \
    }

// Transforms the registers i, i + s, ..., i + (radix - 1) s. The host lists only the kernel's radices as USE(R)
// USE(...), which saves compile time.
void butterfly(int radix, int i, int s) { USED_RADICES }
