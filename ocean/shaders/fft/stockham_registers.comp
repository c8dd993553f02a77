#version 430
// Mixed-radix Stockham with the data in registers: images are read once and written once an axis, and shared memory is
// only passed through between stages.
#include "fft/lines.glsl"
#define TRANSFORMS GROUP_LAYERS
#include "fft/registers.glsl"
#define LOADS ELEMENTS
#include "fft/elements.glsl"

// Registers need constant indices, and compilers unroll only short loops, which one over loads need not be: spelled out, it
// takes llvmpipe half the time.
#define LOADED (RADIX_0 * BUTTERFLIES(RADIX_0))
#define LOAD(m)                                                                                   \
    if ((m) < LOADED && has_butterfly(RADIX_0, (m) % BUTTERFLIES(RADIX_0)))                       \
        v[min(m, ELEMENTS - 1)] = load_register(min(m, ELEMENTS - 1),                             \
            input_index(RADIX_0, (m) % BUTTERFLIES(RADIX_0), (m) / BUTTERFLIES(RADIX_0)));
#define LOAD_4(m) LOAD(m) LOAD(m + 1) LOAD(m + 2) LOAD(m + 3)

void load_line() {
    LOAD_4(0)
#if LOADED > 4
    LOAD_4(4)
#endif
#if LOADED > 8
    LOAD_4(8) LOAD_4(12)
#endif
#if LOADED > 16
    LOAD_4(16) LOAD_4(20) LOAD_4(24) LOAD_4(28)
#endif
}

void transform_line() {
    load_line();
    transform_registers();
    FOR_ELEMENTS(LAST_RADIX, b, q) store_element(input_index(LAST_RADIX, b, q), REGISTER(LAST_RADIX, b, q));
}

void main() {
    FOR_GROUP_LAYERS(transform_line())
}
