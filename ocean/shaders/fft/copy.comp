#version 430
// Moves all elements from the front half to the back one and does nothing else: what a pass of a transform can't beat.
#include "fft/plane.glsl"
#include "fft/complex.glsl"
#include "fft/elements.glsl"

void main() {
    if (along() < SIZE) store_element(along(), load_element(along()));
}
