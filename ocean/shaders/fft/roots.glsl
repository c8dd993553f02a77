// Roots of unity: the twiddle factors. Computed, or read from a table where the driver's sine and cosine are too coarse.
// TABLE_ROOTS says where a table of ROOTS roots lies: 0 none, 1 a storage buffer, 2 a uniform buffer, 3 a texture.
#include "common/bindings.glsl"
#include "fft/complex.glsl"

uniform float direction;  // +1: inverse, e^{+i}; -1: forward, e^{-i}

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
    return Root(cis_turns(direction * float(k) / float(n)));
#endif
}
