#version 430
// One pass of a transform of LENGTH elements, longer than shared memory (Govindaraju et al. 2008, section IV.C;
// Bailey's four steps). A pass is a Stockham stage of large radix R = SIZE. Its butterflies are transforms, which the
// invocations of a line do in registers and shared memory. With s = STRIDE, the product of the radices before it, and k
// = j mod s,
//     y[(j - k) R + k + s r] = sum_q x[j + q LENGTH / R] e^{direction 2 pi i k q / (s R)} e^{direction 2 pi i q r / R}.
// Two passes are the four steps: transform the columns of an R1 x R2 matrix, twiddle, transform its rows, transpose.
// The twiddle is part of the load and the transpose part of the store. More passes are the recursion.
#define ABREAST 1  // neighbouring butterflies, or columns, are neighbours in memory
#include "fft/group.glsl"
#define TRANSFORMS 1
#include "fft/registers.glsl"

int butterfly_index() { return AXIS == 0 ? group().x * LINES + lane() : group().y; }
int line() { return AXIS == 0 ? group().y : group().x * LINES + lane(); }

#include "fft/elements.glsl"

// A table for all roots of a long line would not stay in the caches.
Root twiddle(int k, int n) {
    return ROOTS % n == 0 ? root(k, n) : directed(unit_root(k, n));
}

void main() {
    int j = butterfly_index(), k = modulo(j, STRIDE);
    bool exists = j < LENGTH / SIZE;  // groups need not divide the line
    EACH(RADIX_0,
        int e = input_index(RADIX_0, i);
        Element x = exists ? load_element(j + e * (LENGTH / SIZE)) : Element(0.0);
        v[i] = STRIDE > 1 ? cmul(x, twiddle(e * k, STRIDE * SIZE)) : x)
    transform_registers();
    EACH(LAST_RADIX, if (exists) store_element((j - k) * SIZE + k + STRIDE * input_index(LAST_RADIX, i), v[i]))
}
