#version 430
// One stage of a Stockham transform in one dispatch, from the front half to the back half (Govindaraju et al. 2008,
// section IV.A). An invocation does one butterfly of RADIX elements in registers. With k = j mod stride and s = stride,
//     y[(j - k) R + k + s r] = sum_q x[j + q SIZE / R] e^{direction 2 pi i k q / (s R)} e^{direction 2 pi i q r / R}.
// Neighbouring invocations write neighbouring elements, except for rows while s is small: then runs of s elements lie
// R s apart. But if s divides the ALONG butterflies of a group, the results of the group fill one run. With EXCHANGE
// the group sorts them in shared memory and writes the run in order.
#include "fft/plane.glsl"

uniform int stride;  // the product of the radices before this stage

#define ELEMENTS RADIX
#include "fft/register_butterflies.glsl"
#include "fft/elements.glsl"

bool exists(int j) { return j < SIZE / RADIX; }  // groups need not divide the line

int output_index(int j, int r) {
    int k = j % stride;
    return (j - k) * RADIX + k + r * stride;
}

void butterfly_of(int j) {
    for (int q = 0; q < RADIX; ++q) {
        v[q] = cmul(load_element(j + q * (SIZE / RADIX)), root(q * (j % stride), stride * RADIX));
    }
    butterfly(RADIX, 0, 1);
}

#if EXCHANGE
shared Element run[ACROSS][ALONG * RADIX];

void main() {
    int lane = int(gl_LocalInvocationID.y), local = int(gl_LocalInvocationID.x), first = along() - local;
    if (exists(along())) {
        butterfly_of(along());
        for (int r = 0; r < RADIX; ++r) run[lane][output_index(along(), r) - first * RADIX] = v[r];
    }
    memoryBarrierShared();
    barrier();
    for (int e = local; e < ALONG * RADIX && first * RADIX + e < SIZE; e += ALONG) {
        store_element(first * RADIX + e, run[lane][e]);
    }
}
#else
void main() {
    if (!exists(along())) return;
    butterfly_of(along());
    for (int r = 0; r < RADIX; ++r) store_element(output_index(along(), r), v[r]);
}
#endif
