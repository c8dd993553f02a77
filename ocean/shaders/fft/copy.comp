#version 430
// Copies all elements from the front half to the back half: the lower bound for a pass of a transform.
#include "fft/plane.glsl"
#include "fft/complex.glsl"
#include "fft/elements.glsl"

void main() {
    if (along() < SIZE) store_element(along(), load_element(along()));
}
