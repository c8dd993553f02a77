// Roots of unity: the twiddle factors. Computed, or read from a table where the driver's sine and cosine are too coarse.
// TABLE_ROOTS says where the table lies: 0 none, 1 a storage buffer, 2 a uniform buffer, 3 a texture.
#include "common/bindings.glsl"
#include "fft/complex.glsl"

uniform float direction;  // +1: inverse, e^{+i}; -1: forward, e^{-i}

// e^{2 pi i k / SIZE}
#if TABLE_ROOTS == 1
layout(std430, binding = STORAGE_ROOTS) readonly buffer Roots { vec2 roots[]; };
vec2 table_root(int k) { return roots[k]; }
#elif TABLE_ROOTS == 2
layout(std140, binding = BLOCK_ROOTS) uniform Roots { vec4 pairs[SIZE / 2]; };  // an array of vec2 would be padded
vec2 table_root(int k) { return (k & 1) == 0 ? pairs[k >> 1].xy : pairs[k >> 1].zw; }
#elif TABLE_ROOTS == 3
layout(binding = SAMPLER_ROOTS) uniform sampler2D roots;
vec2 table_root(int k) { return texelFetch(roots, ivec2(k, 0), 0).xy; }
#endif

// e^{direction 2 pi i k / n}, for n a divisor of the transform's size and 0 <= k < n.
vec2 root(int k, int n) {
#if TABLE_ROOTS
    vec2 w = table_root(k * (SIZE / n));
    return vec2(w.x, direction * w.y);
#else
    return cis_turns(direction * float(k) / float(n));
#endif
}
