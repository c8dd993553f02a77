#version 430
// One step of bluestein.comp for lines that no work group can hold, or in double precision. A buffer holds the padded
// lines of SIZE elements, a batch at a time; other dispatches transform them between the steps.
//   STEP 0: pad the line times the chirp
//   STEP 1: multiply by the chirp's transform, and conjugate, so that the next transform acts as the inverse one
//   STEP 2: conjugate back, and multiply by the chirp
uniform int first_line, lines;  // lines of each layer in the buffer
#define FIRST_LINE first_line
#include "fft/plane.glsl"
#include "fft/roots.glsl"
#include "fft/elements.glsl"
#include "fft/chirp.glsl"

layout(std430, binding = STORAGE_PADDED) buffer Padded { Element padded[]; };

void main() {
    int j = along(), p = (layer() * lines + line() - first_line) * SIZE + j;
    if (line() >= first_line + lines || j >= (STEP == 2 ? SAMPLES : SIZE)) return;
#if STEP == 0
    padded[p] = j < SAMPLES ? cmul(load_element(j), directed(chirp[j])) : Element(0.0);
#elif STEP == 1
    padded[p] = conjugate(cmul(padded[p], directed(spectrum[j])));
#else
    store_element(j, cmul(conjugate(padded[p]), directed(chirp[j])));
#endif
}
