#version 430
// Copies all elements from the front half to the back half: the lower bound for a pass of a transform. With a STRIDE
// neighbouring invocations read elements that far apart, and write neighbours.
#include "fft/plane.glsl"
#include "fft/complex.glsl"
#include "fft/elements.glsl"

void main() {
    const int RUN = SIZE / STRIDE;
    if (along() < SIZE) store_element(along(), load_element(along() % RUN * STRIDE + along() / RUN));
}
