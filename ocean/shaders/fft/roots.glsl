// Roots of unity: the twiddle factors. Computed, or read from a table where the driver's sine and cosine are too coarse.
#include "common/bindings.glsl"
#include "fft/complex.glsl"

uniform float direction;  // +1: inverse, e^{+i}; -1: forward, e^{-i}

#if TABLE_ROOTS
layout(std430, binding = STORAGE_ROOTS) readonly buffer Roots { vec2 roots[]; };  // e^{2 pi i k / SIZE}
#endif

// e^{direction 2 pi i k / n}, for n a divisor of the transform's size and 0 <= k < n.
vec2 root(int k, int n) {
#if TABLE_ROOTS
    vec2 w = roots[k * (SIZE / n)];
    return vec2(w.x, direction * w.y);
#else
    return cis_turns(direction * float(k) / float(n));
#endif
}
