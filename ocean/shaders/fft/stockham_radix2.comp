#version 430
// Radix-2 Stockham, decimation in frequency: each stage re-orders through its addresses, so that input and output are
// in natural order (Mota 2022, sections 4.2 and 5.3.2). With n the length still to transform and s = SIZE / n,
//     y[q + s 2p]       =  x[q + s p] + x[q + s (p + n/2)]
//     y[q + s (2p + 1)] = (x[q + s p] - x[q + s (p + n/2)]) e^{direction 2 pi i p / n}.
#include "fft/line.glsl"
#include "fft/roots.glsl"
#include "fft/pingpong.glsl"

void main() {
    for (int stage = 0; stage < STAGES; ++stage) {
        int n = SIZE >> stage;
        int s = 1 << stage;
        for (int i = 0; i < BUTTERFLIES; ++i) {
            int j = thread() + i * THREADS;  // = q + s p
            int p = j >> stage;

            Element a = read_stage(stage, j);
            Element b = read_stage(stage, j + SIZE / 2);
            write_stage(stage, j + s * p, a + b);
            write_stage(stage, j + s * p + s, cmul(a - b, root(p, n)));
        }
        synchronise_storage();
    }
}
