#version 430
// Radix-2 Cooley-Tukey, decimation in frequency, that re-orders after each stage instead of once by bit reversal (Mota
// 2022, section 4.1; equations 10 and 11, which leave out the stride s). With n the length still to transform, m = n/2
// and s = SIZE / n, a stage does the butterflies in place,
//     y[q + s p]       =  x[q + s p] + x[q + s (p + m)]
//     y[q + s (p + m)] = (x[q + s p] - x[q + s (p + m)]) e^{direction 2 pi i p / n},
// and then moves its even and odd results to the positions of the next stage:
//     x[q + s 2p]       = y[q + s p]
//     x[q + s (2p + 1)] = y[q + s (p + m)].
// In stockham_radix2.comp the butterfly writes there at once. x is the front half, y the back half.
#include "fft/line.glsl"
#include "fft/roots.glsl"
#include "fft/shared_elements.glsl"

#define HALF (SIZE / 2)

void butterfly(int stage) {
    int j = thread();  // = q + s p
    int p = j >> stage;
    Element a = stage == 0 ? load_element(j) : load_front(place(j));
    Element b = stage == 0 ? load_element(j + HALF) : load_front(place(j + HALF));
    store_back(place(j), a + b);
    store_back(place(j + HALF), cmul(a - b, root(p, SIZE >> stage)));
}

// Fills position e = q + s (2p + odd) of x.
void reorder(int stage, int e) {
    int q = e & ((1 << stage) - 1);
    int odd = (e >> stage) & 1;
    int p = e >> (stage + 1);
    Element y = load_back(place(q + (p << stage) + odd * HALF));
    if (stage == STAGES - 1) store_element(e, y);
    else store_front(place(e), y);
}

void main() {
    for (int stage = 0; stage < STAGES; ++stage) {
        butterfly(stage);
        synchronise_storage();
        reorder(stage, thread());
        reorder(stage, thread() + HALF);
        synchronise_storage();
    }
}
