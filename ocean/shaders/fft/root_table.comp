#version 430
// The table of the SIZE roots of unity, e^{direction 2 pi i k / SIZE}, one invocation for each (Davis and Dharma).
#include "fft/plane.glsl"
#include "fft/roots.glsl"
#include "fft/elements.glsl"

void main() {
    int k = along();
    if (k < SIZE) store_element(k, directed(unit_root(k, SIZE)));
}
