#version 430
// Mixed-radix Stockham with the data in registers: each axis reads and writes the images once. Shared memory serves
// only the exchange between stages.
#include "fft/lines.glsl"
#define TRANSFORMS (GROUP_LAYERS * TURNS)
#include "fft/registers.glsl"
#define LOADS ELEMENTS
#include "fft/elements.glsl"

void transform_line() {
    EACH(RADIX_0, v[i] = load_register(i, input_index(RADIX_0, i)))
    transform_registers();
    EACH(LAST_RADIX, store_element(input_index(LAST_RADIX, i), v[i]))
}

void main() {
#if TURNS > 1
    for (sets_done = 0; sets_done < TURNS; ++sets_done) {
        group_layer = 0;
        FOR_GROUP_LAYERS(transform_line())
    }
#else  // llvmpipe takes twice as long for a loop of one turn
    FOR_GROUP_LAYERS(transform_line())
#endif
}
