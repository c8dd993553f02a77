#version 430
// Mixed-radix Stockham with the data in registers: images are read once and written once an axis, and shared memory is
// only passed through between stages.
#include "fft/lines.glsl"
#include "fft/registers.glsl"
#define LOADS ELEMENTS
#include "fft/elements.glsl"

void main() {
    FOR_GROUP_LAYERS {
        FOR_ELEMENTS(RADIX_0, b, q) {
            REGISTER(RADIX_0, b, q) = load_register(REGISTER_INDEX(RADIX_0, b, q), input_index(RADIX_0, b, q));
        }
        transform_registers();
        FOR_ELEMENTS(LAST_RADIX, b, q) store_element(input_index(LAST_RADIX, b, q), REGISTER(LAST_RADIX, b, q));
    }
}
