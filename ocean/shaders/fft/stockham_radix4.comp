#version 430
// Radix-4 Stockham, decimation in frequency (Mota 2022, sections 4.3 and 5.3.3), natural order in and out. With n the
// length still to transform and s = SIZE / n, outputs r = 0..3 go to q + s (4p + r). An odd log2 SIZE ends with one
// radix-2 stage, whose twiddle factors are all 1 (n = 2, p = 0).
#include "fft/line.glsl"
#include "fft/roots.glsl"
#include "fft/pingpong.glsl"

#define ODD_LOG2 (LOG2_SIZE & 1)

void radix4(int stage) {
    int n = SIZE >> (2 * stage);
    int s = 1 << (2 * stage);
    for (int i = 0; i < BUTTERFLIES; ++i) {
        int j = thread() + i * THREADS;  // = q + s p
        int p = j >> (2 * stage);

        Element a = read_stage(stage, j);
        Element b = read_stage(stage, j + SIZE / 4);
        Element c = read_stage(stage, j + SIZE / 2);
        Element d = read_stage(stage, j + 3 * SIZE / 4);

        Element a_plus_c = a + c, a_minus_c = a - c, b_plus_d = b + d;
        Element turned = direction * mul_i(b - d);
        int out_ = j + 3 * s * p;  // = q + s 4p
        write_stage(stage, out_, a_plus_c + b_plus_d);
        write_stage(stage, out_ + s, cmul(a_minus_c + turned, root(p, n)));
        write_stage(stage, out_ + 2 * s, cmul(a_plus_c - b_plus_d, root(2 * p, n)));
        write_stage(stage, out_ + 3 * s, cmul(a_minus_c - turned, root(3 * p, n)));
    }
}

void closing_radix2() {
    for (int i = 0; i < 2 * BUTTERFLIES; ++i) {
        int j = thread() + i * THREADS;
        Element a = read_stage(STAGES - 1, j);
        Element b = read_stage(STAGES - 1, j + SIZE / 2);
        write_stage(STAGES - 1, j, a + b);
        write_stage(STAGES - 1, j + SIZE / 2, a - b);
    }
}

void main() {
    for (int stage = 0; stage < LOG2_SIZE / 2; ++stage) {
        radix4(stage);
        synchronise_storage();
    }
    if (ODD_LOG2 == 1) closing_radix2();
}
