#version 430
// A single butterfly of RADIX elements, to be compared with its DFT matrix.
#include "fft/register_butterflies.glsl"

layout(local_size_x = 1) in;

layout(std430, binding = STORAGE_SINK) buffer Sink { Element elements[]; };

void main() {
    for (int q = 0; q < RADIX; ++q) v[q] = elements[q];
    butterfly(RADIX, 0, 1);
    for (int q = 0; q < RADIX; ++q) elements[q] = v[q];
}
