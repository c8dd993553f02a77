#version 430
// Rader's transform of a prime number p = SIZE + 1 of elements ("Discrete Fourier transforms when the number of data
// samples is prime", Proc. IEEE 56, 1968). With a generator g of the integers modulo p,
//     X[g^-q] = x[0] + sum_r x[g^r] b[q - r],  b[s] = e^{direction 2 pi i g^-s / p},
// which is a cyclic convolution of length SIZE, not padded: two transforms of that length, with a product by the
// transform of b between them. Element 0 of the first transform is the sum of the elements x[g^r], and x[0] added there
// is added to each result of the second. All data stay in registers and shared memory.
#include "fft/lines.glsl"
#define TRANSFORMS 2
#include "fft/registers.glsl"
#include "fft/elements.glsl"

layout(std430, binding = STORAGE_CHIRP) readonly buffer Rader {
    vec2 powers[SIZE];    // g^j and g^-j modulo p
    Root spectrum[SIZE];  // transform of b for direction 1, divided by SIZE; direction -1 uses its conjugate
};

void main() {
    bool holds_first = thread() == 0;  // register 0 of that invocation is element 0
    Element first = holds_first ? load_element(0) : Element(0.0), sum = Element(0.0);
    EACH(RADIX_0, v[i] = load_element(int(powers[input_index(RADIX_0, i)].x)))
    for (int back = 0; back < 2; ++back) {  // the second is an inverse transform, as in bluestein.comp
#if RADIX_0 != LAST_RADIX
        if (back == 1) exchange(LAST_RADIX, SIZE / LAST_RADIX, RADIX_0);
#endif
        transform_registers();
        if (back == 0) {
            sum = first + v[0];
            EACH(LAST_RADIX, v[i] = conjugate(cmul(v[i], directed(spectrum[input_index(LAST_RADIX, i)]))))
            if (holds_first) v[0] += conjugate(first);
        }
    }
    EACH(LAST_RADIX, store_element(int(powers[input_index(LAST_RADIX, i)].y), conjugate(v[i])))
    if (holds_first) store_element(0, sum);
}
