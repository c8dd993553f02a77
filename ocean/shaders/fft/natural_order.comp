#version 430
// Radix-2 Cooley-Tukey, decimation in frequency, that re-orders after each stage instead of once by bit reversal (Mota
// 2022, section 4.1; equations 10 and 11, which leave out the stride s). With n the length still to transform, m = n/2
// and s = SIZE / n, a stage does the butterflies in place,
//     y[q + s p]       =  x[q + s p] + x[q + s (p + m)]
//     y[q + s (p + m)] = (x[q + s p] - x[q + s (p + m)]) e^{direction 2 pi i p / n},
// and then brings its even and odd results to where the next stage wants them:
//     x[q + s 2p]       = y[q + s p]
//     x[q + s (2p + 1)] = y[q + s (p + m)].
// stockham_radix2.comp is what remains when the butterfly writes there at once. x is the front image, y the back one.
#include "fft/line.glsl"
#include "fft/roots.glsl"
#include "fft/elements.glsl"

#define HALF (SIZE / 2)

void synchronise() {
    memoryBarrierImage();
    barrier();
}

void butterfly(int stage) {
    int j = thread();  // = q + s p
    int p = j >> stage;
    vec4 a = stage == 0 ? load_element(j) : imageLoad(front, texel(j));
    vec4 b = stage == 0 ? load_element(j + HALF) : imageLoad(front, texel(j + HALF));
    imageStore(back, texel(j), a + b);
    imageStore(back, texel(j + HALF), cmul(a - b, root(p, SIZE >> stage)));
}

// Fill place e = q + s (2p + odd) of x.
void reorder(int stage, int e) {
    int q = e & ((1 << stage) - 1);
    int odd = (e >> stage) & 1;
    int p = e >> (stage + 1);
    vec4 y = imageLoad(back, texel(q + (p << stage) + odd * HALF));
    if (stage == STAGES - 1) store_element(e, y);
    else imageStore(front, texel(e), y);
}

void main() {
    for (int stage = 0; stage < STAGES; ++stage) {
        butterfly(stage);
        synchronise();
        reorder(stage, thread());
        reorder(stage, thread() + HALF);
        synchronise();
    }
}
