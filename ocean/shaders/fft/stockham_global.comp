#version 430
// One stage of a Stockham transform, a dispatch of its own between the two images (Govindaraju et al. 2008, section
// IV.A). An invocation does one butterfly of RADIX elements in registers. With k = j mod stride and s = stride,
//     y[(j - k) R + k + s r] = sum_q x[j + q SIZE / R] e^{direction 2 pi i k q / (s R)} e^{direction 2 pi i q r / R}.

layout(local_size_x = GROUP, local_size_y = GROUP) in;

#if AXIS == 0
int line() { return int(gl_GlobalInvocationID.y); }
int butterfly_index() { return int(gl_GlobalInvocationID.x); }
#else
int line() { return int(gl_GlobalInvocationID.x); }
int butterfly_index() { return int(gl_GlobalInvocationID.y); }
#endif
int layer() { return int(gl_GlobalInvocationID.z); }

uniform int stride;    // the product of the radices before this stage
uniform int pingpong;  // 0: read front, write back; 1: the other way
uniform float scale;   // applied by the last stage

#define READS_FRONT (pingpong == 0)
#define WRITES_FRONT (pingpong == 1)
#define SCALE scale
#define ELEMENTS RADIX
#include "fft/register_butterflies.glsl"
#include "fft/elements.glsl"

void main() {
    int j = butterfly_index();
    if (j >= SIZE / RADIX || line() >= SIZE) return;  // groups need not divide the size
    int k = j % stride;
    for (int q = 0; q < RADIX; ++q) v[q] = cmul(load_element(j + q * (SIZE / RADIX)), root(q * k, stride * RADIX));
    butterfly(RADIX, 0, 1);
    for (int r = 0; r < RADIX; ++r) store_element((j - k) * RADIX + k + r * stride, v[r]);
}
