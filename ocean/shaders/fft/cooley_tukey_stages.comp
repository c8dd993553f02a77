#version 430
// Radix-2 Cooley-Tukey, decimation in time, one dispatch a stage (Mota 2022, section 5.3.1). The generic kernel: one
// program for all sizes, so everything about the stage is a uniform. One invocation does one butterfly; the first stage
// reads in bit-reversed order.

#if AXIS == 0
layout(local_size_x = 4, local_size_y = 8) in;
int line() { return int(gl_GlobalInvocationID.y); }
int butterfly() { return int(gl_GlobalInvocationID.x); }
#else
layout(local_size_x = 8, local_size_y = 4) in;
int line() { return int(gl_GlobalInvocationID.x); }
int butterfly() { return int(gl_GlobalInvocationID.y); }
#endif
int layer() { return int(gl_GlobalInvocationID.z); }

uniform int stage;
uniform int log2_size;
uniform int pingpong;  // 0: read front, write back; 1: the other way
uniform float scale;   // applied by the last stage

#define READS_FRONT (pingpong == 0)
#define WRITES_FRONT (pingpong == 1)
#define SCALE (stage == log2_size - 1 ? scale : 1.0)
#define SIZE (1 << log2_size)
#include "fft/roots.glsl"
#include "fft/elements.glsl"

int bit_reverse(int k) {
    return int(bitfieldReverse(uint(k)) >> (32 - log2_size));
}

void main() {
    int half_span = 1 << stage;
    int p = butterfly() & (half_span - 1);
    int upper = 2 * butterfly() - p;  // = p + 2 half_span (butterfly / half_span)
    int lower = upper + half_span;

    vec4 a = load_element(stage == 0 ? bit_reverse(upper) : upper);
    vec4 b = load_element(stage == 0 ? bit_reverse(lower) : lower);
    vec4 wb = cmul(b, root(p, 2 * half_span));
    store_element(upper, a + wb);
    store_element(lower, a - wb);
}
