#version 430
// The first FFT that one writes for a GPU (Rao 2019, section IV): radix-2 Cooley-Tukey, decimation in time, everything
// in main memory. REVERSAL 1 is the dispatch that moves each element to its bit-reversed place in the other image.
// REVERSAL 0 is one stage, in place: SIZE / (2 half_span) groups of half_span butterflies, which no two share an
// element. PER_GROUP 1 loops over a group in one invocation, so that the last stage has a single one for a whole line;
// PER_GROUP 0 has an invocation for each butterfly.

#include "fft/plane.glsl"

uniform int half_span;

#include "fft/roots.glsl"
#include "fft/elements.glsl"

void reverse() {
    int source = int(bitfieldReverse(uint(along())) >> (32 - LOG2_SIZE));
    store_element(along(), load_element(source));
}

// Each root is computed for itself: the running product of the published loop adds up its rounding errors.
void butterfly(int upper, int p) {
    int lower = upper + half_span;
    Element a = load_element(upper);
    Element wb = cmul(load_element(lower), root(p, 2 * half_span));
    store_element(upper, a + wb);
    store_element(lower, a - wb);
}

void main() {
#if REVERSAL
    reverse();
#elif PER_GROUP
    int first = 2 * half_span * along();
    for (int p = 0; p < half_span && first < SIZE; ++p) butterfly(first + p, p);
#else
    int p = along() & (half_span - 1);
    butterfly(2 * along() - p, p);
#endif
}
