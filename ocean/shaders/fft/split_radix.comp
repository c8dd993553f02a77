#version 430
// Split radix, decimation in frequency, in place in shared memory (Yavne 1968; Duhamel and Hollmann 1984). A transform
// of n elements becomes one of n / 2 elements, for results 2k, and two of n / 4 elements, for results 4k + 1 and 4k + 3:
// radix 2 where it needs no roots, radix 4 where it does. The halves and quarters lie where the bit reversal of the last
// step expects them.
#include "fft/line.glsl"
#include "fft/roots.glsl"
#include "fft/elements.glsl"

shared Element x[SIZE];

void synchronise() {
    memoryBarrierShared();
    barrier();
}

// Returns whether block b of n elements is a transform now. A half appends the binary digit 0 to the number of its
// block, quarters append 10 and 11; so the number ends in an even number of ones.
bool is_transform(int b) { return (findLSB(~b) & 1) == 0; }

int bit_reverse(int k) { return int(bitfieldReverse(uint(k)) >> (32 - LOG2_SIZE)); }

void main() {
    int j = thread();
    for (int i = 0; i < 4; ++i) x[j + i * THREADS] = load_element(j + i * THREADS);  // elements of the first stage
    for (int n = SIZE; n > 2; n /= 2) {
        int quarter = n / 4, p = j & (quarter - 1), at = 4 * (j - p) + p;
        if (is_transform(j / quarter)) {
            Element a = x[at], b = x[at + quarter], c = x[at + 2 * quarter], d = x[at + 3 * quarter];
            Element difference = a - c, turned = direction * mul_i(b - d);
            x[at] = a + c;
            x[at + quarter] = b + d;
            x[at + 2 * quarter] = cmul(difference + turned, root(p, n));
            x[at + 3 * quarter] = cmul(difference - turned, root(3 * p, n));
        }
        synchronise();
    }
    for (int b = 2 * j; b < 2 * j + 2; ++b) {
        if (is_transform(b)) {
            Element upper = x[2 * b], lower = x[2 * b + 1];
            x[2 * b] = upper + lower;
            x[2 * b + 1] = upper - lower;
        }
    }
    synchronise();
    for (int i = 0; i < 4; ++i) store_element(j + i * THREADS, x[bit_reverse(j + i * THREADS)]);
}
