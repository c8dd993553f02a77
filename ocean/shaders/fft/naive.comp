#version 430
// A naive FFT for the GPU (Rao 2019, section IV): radix-2 Cooley-Tukey, decimation in time, all data in main memory.
// With REVERSAL 1 the dispatch moves each element to its bit-reversed position in the other image. With REVERSAL 0 it is
// one stage, in place: SIZE / (2 half_span) groups of half_span butterflies, which share no element. With PER_GROUP 1
// one invocation loops over a group, so that the last stage has a single invocation for a line. With PER_GROUP 0 each
// butterfly has an invocation.

#include "fft/plane.glsl"

uniform int half_span;
#if PER_GROUP
uniform int first;  // first butterfly of a group in this dispatch, which does at most MOST of each group
#endif

#include "fft/roots.glsl"
#include "fft/elements.glsl"

void reverse() {
    int source = int(bitfieldReverse(uint(along())) >> (32 - LOG2_SIZE));
    store_element(along(), load_element(source));
}

// Each root is computed separately: the running product of the published loop accumulates rounding errors.
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
    // Tested before the product: 2 half_span times an idle invocation's number can exceed 2^31.
    if (along() >= SIZE / (2 * half_span)) return;
    int upper = 2 * half_span * along(), end = min(first + MOST, half_span);
    for (int p = first; p < end; ++p) butterfly(upper + p, p);
#else
    int p = along() & (half_span - 1);
    butterfly(2 * along() - p, p);
#endif
}
