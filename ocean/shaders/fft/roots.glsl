// Roots of unity: the twiddle factors, computed or read from a table.
// TABLE_ROOTS says where a table of ROOTS roots lies: 0 none, 1 a storage buffer, 2 a uniform buffer, 3 a texture.
#include "common/bindings.glsl"
#include "fft/complex.glsl"

uniform float direction;  // +1: inverse, e^{+i}; -1: forward, e^{-i}

// e^{2 pi i k / n} for 0 <= k < n <= 2^28: whole quarters of a turn in integers, exactly, and the rest, at most an eighth
// of a turn, by polynomials (Moshier's Cephes, sinf and cosf). The drivers' own sine and cosine may err by more than the
// rounding of the result: on NVIDIA's by twice as much, and their errors add up from stage to stage.
Root unit_root(int k, int n) {
    int quarters = (4 * k + n / 2) / n;
    float x = 1.57079632679489662 * (float(4 * k - quarters * n) / float(n)), z = x * x;
    float s = x + x * z * (-1.6666654611e-1 + z * (8.3321608736e-3 + z * -1.9515295891e-4));
    float c = 1.0 - 0.5 * z + z * z * (4.166664568298827e-2 + z * (-1.388731625493765e-3 + z * 2.443315711809948e-5));
    vec2 w = (quarters & 1) == 0 ? vec2(c, s) : vec2(-s, c);
    return Root((quarters & 2) == 0 ? w : -w);
}

// e^{2 pi i k / ROOTS}
#if TABLE_ROOTS == 1
layout(std430, binding = STORAGE_ROOTS) readonly buffer Roots { Root roots[]; };
Root table_root(int k) { return roots[k]; }
#elif TABLE_ROOTS == 2
layout(std140, binding = BLOCK_ROOTS) uniform Roots { vec4 pairs[ROOTS / 2]; };  // an array of vec2 would be padded
Root table_root(int k) { return (k & 1) == 0 ? pairs[k >> 1].xy : pairs[k >> 1].zw; }
#elif TABLE_ROOTS == 3
layout(binding = SAMPLER_ROOTS) uniform sampler2D roots;
Root table_root(int k) { return texelFetch(roots, ivec2(k, 0), 0).xy; }
#endif

Root directed(Root w) { return Root(w.x, direction * w.y); }

// e^{direction 2 pi i k / n}, for n a divisor of ROOTS and 0 <= k < n.
Root root(int k, int n) {
#if TABLE_ROOTS
    return directed(table_root(k * (ROOTS / n)));
#else
    return directed(unit_root(k, n));
#endif
}
