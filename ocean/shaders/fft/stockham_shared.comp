#version 430
// Radix-2 Stockham with the line in shared memory: each axis reads and writes the images once. The stages equal
// stockham_radix2.comp's. One shared array suffices, because each invocation holds its two elements in registers
// between reading and writing.
#include "fft/line.glsl"
#include "fft/roots.glsl"
#define LOADS 2
#include "fft/elements.glsl"

shared Element exchange[SIZE];

void synchronise() {
    memoryBarrierShared();
    barrier();
}

void transform_line() {
    int j = thread();  // = q + s p
    Element a = load_register(0, j);
    Element b = load_register(1, j + SIZE / 2);
    for (int stage = 0; stage < STAGES - 1; ++stage) {
        int s = 1 << stage;
        int p = j >> stage;
        exchange[j + s * p] = a + b;
        exchange[j + s * p + s] = cmul(a - b, root(p, SIZE >> stage));
        synchronise();
        a = exchange[j];
        b = exchange[j + SIZE / 2];
        synchronise();
    }
    store_element(j, a + b);  // the last stage has n = 2: no twiddles, and outputs at the positions of the inputs
    store_element(j + SIZE / 2, a - b);
}

void main() {
    FOR_GROUP_LAYERS(transform_line())
}
