// Roots of unity: the twiddle factors, computed or read from a table.
// TABLE_ROOTS is the memory of a table of ROOTS roots: 0 none, 1 a storage buffer, 2 a uniform buffer, 3 a texture.
// NATIVE_ROOTS is 1 if computed roots come from the driver's sine and cosine.
#include "common/bindings.glsl"
#include "fft/complex.glsl"

uniform float direction;  // +1: inverse, e^{+i}; -1: forward, e^{-i}

#if NATIVE_ROOTS
// Returns e^{2 pi i k / n} for 0 <= k < n by the driver's sine and cosine.
Root unit_root(int k, int n) {
    float angle = 6.28318531 * (float(k) / float(n));
    return Root(cos(angle), sin(angle));
}
#else
// Returns e^{2 pi i k / n} for 0 <= k < n <= 2^28. Whole quarters of a turn are exact integers. The rest t, at most
// half a quarter, goes through polynomials fitted to sin(pi t / 2) and cos(pi t / 2). t is exact if n is a power of
// two. The polynomial includes the factor pi / 2, and its next term corrects the rounding of that factor. So the error
// of a root is little more than its rounding, rms 2e-8. The driver's sine and cosine may be worse, NVIDIA's by a factor
// of four.
Root unit_root(int k, int n) {
    int quarters = (4 * k + n / 2) / n;
    float t = float(4 * k - quarters * n) / float(n), z = t * t;
    float s = fma(t, 1.57079637, t * fma(z, fma(z, fma(z, -4.59228907e-3, 7.96759030e-2), -0.645962938), -6.54208300e-8));
    float c = fma(z, fma(z, fma(z, fma(z, 9.04021668e-4, -2.08602885e-2), 0.253669244), -1.23370054), 1.0);
    vec2 w = (quarters & 1) == 0 ? vec2(c, s) : vec2(-s, c);
    return Root((quarters & 2) == 0 ? w : -w);
}
#endif

// e^{2 pi i k / ROOTS}
#if TABLE_ROOTS == 1
layout(std430, binding = STORAGE_ROOTS) readonly buffer Roots { Root roots[]; };
Root table_root(int k) { return roots[k]; }
#elif TABLE_ROOTS == 2
layout(std140, binding = BLOCK_ROOTS) uniform Roots { vec4 pairs[ROOTS / 2]; };  // std140 pads arrays of vec2
Root table_root(int k) { return (k & 1) == 0 ? pairs[k >> 1].xy : pairs[k >> 1].zw; }
#elif TABLE_ROOTS == 3
layout(binding = SAMPLER_ROOTS) uniform sampler2D roots;
Root table_root(int k) { return texelFetch(roots, ivec2(k, 0), 0).xy; }
#endif

Root directed(Root w) { return Root(w.x, direction * w.y); }

// Returns e^{direction 2 pi i k / n}, for n a divisor of ROOTS and 0 <= k < n.
Root root(int k, int n) {
#if TABLE_ROOTS
    return directed(table_root(k * (ROOTS / n)));
#else
    return directed(unit_root(k, n));
#endif
}
