// Butterflies among the registers of an invocation.
#include "fft/butterflies.glsl"

Element v[ELEMENTS];  // the registers; constant indices once loops are unrolled, so no memory stands behind them

#define USE(R)                                              \
    if (radix == R) {                                       \
        Element x[R];                                       \
        for (int q = 0; q < R; ++q) x[q] = v[i + q * s];    \
        dft(x);                                             \
        for (int q = 0; q < R; ++q) v[i + q * s] = x[q];    \
    }

// Transform the registers i, i + s, ..., i + (radix - 1) s. The host lists the kernel's radices as USE(R) USE(...), since
// others would only cost the compiler time.
void butterfly(int radix, int i, int s) { USED_RADICES }
