// Butterflies among the registers of an invocation.
#include "fft/butterflies.glsl"

Element v[ELEMENTS];  // the registers; constant indices once loops are unrolled, so no memory stands behind them

// Transform the registers i, i + s, ..., i + (radix - 1) s. The host defines which radices there are, since others would
// only cost the compiler time.
void butterfly(int radix, int i, int s) {
#ifdef USES_RADIX_2
    if (radix == 2) dft2(v[i], v[i + s]);
#endif
#ifdef USES_RADIX_3
    if (radix == 3) dft3(v[i], v[i + s], v[i + 2 * s]);
#endif
#ifdef USES_RADIX_4
    if (radix == 4) dft4(v[i], v[i + s], v[i + 2 * s], v[i + 3 * s]);
#endif
#ifdef USES_RADIX_5
    if (radix == 5) dft5(v[i], v[i + s], v[i + 2 * s], v[i + 3 * s], v[i + 4 * s]);
#endif
#ifdef USES_RADIX_7
    if (radix == 7) dft7(v[i], v[i + s], v[i + 2 * s], v[i + 3 * s], v[i + 4 * s], v[i + 5 * s], v[i + 6 * s]);
#endif
#ifdef USES_RADIX_8
    if (radix == 8) {
        dft8(v[i], v[i + s], v[i + 2 * s], v[i + 3 * s], v[i + 4 * s], v[i + 5 * s], v[i + 6 * s], v[i + 7 * s]);
    }
#endif
#ifdef USES_RADIX_16
    if (radix == 16) {
        dft16(v[i], v[i + s], v[i + 2 * s], v[i + 3 * s], v[i + 4 * s], v[i + 5 * s], v[i + 6 * s], v[i + 7 * s],
              v[i + 8 * s], v[i + 9 * s], v[i + 10 * s], v[i + 11 * s], v[i + 12 * s], v[i + 13 * s], v[i + 14 * s],
              v[i + 15 * s]);
    }
#endif
}
