#version 430
// Radix-2 Cooley-Tukey, decimation in time. One dispatch does all stages of one line (Mota 2022, section 5.3.1, "all
// stages in one pass"). The first stage reads in bit-reversed order.
#include "fft/line.glsl"
#include "fft/roots.glsl"
#include "fft/pingpong.glsl"

int bit_reverse(int k) {
    return int(bitfieldReverse(uint(k)) >> (32 - STAGES));
}

void main() {
    for (int stage = 0; stage < STAGES; ++stage) {
        int half_span = 1 << stage;
        int p = thread() & (half_span - 1);
        int upper = 2 * thread() - p;
        int lower = upper + half_span;

        Element a = read_stage(stage, stage == 0 ? bit_reverse(upper) : upper);
        Element b = read_stage(stage, stage == 0 ? bit_reverse(lower) : lower);
        Element wb = cmul(b, root(p, 2 * half_span));
        write_stage(stage, upper, a + wb);
        write_stage(stage, lower, a - wb);
        synchronise_storage();
    }
}
