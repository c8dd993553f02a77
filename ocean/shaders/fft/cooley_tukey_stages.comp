#version 430
// Radix-2 Cooley-Tukey, decimation in time, one dispatch per stage (Mota 2022, section 5.3.1). One program serves all
// sizes: uniforms describe the stage. One invocation does one butterfly. The first stage reads in bit-reversed order.

#include "fft/plane.glsl"

uniform int stage;
uniform int log2_size;

#define ROOTS (1 << log2_size)
#include "fft/roots.glsl"
#include "fft/elements.glsl"

int bit_reverse(int k) {
    return int(bitfieldReverse(uint(k)) >> (32 - log2_size));
}

void main() {
    int half_span = 1 << stage;
    int p = along() & (half_span - 1);
    int upper = 2 * along() - p;  // = p + 2 half_span (butterfly / half_span)
    int lower = upper + half_span;

    Element a = load_element(stage == 0 ? bit_reverse(upper) : upper);
    Element b = load_element(stage == 0 ? bit_reverse(lower) : lower);
    Element wb = cmul(b, root(p, 2 * half_span));
    store_element(upper, a + wb);
    store_element(lower, a - wb);
}
