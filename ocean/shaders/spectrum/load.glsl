// Input of a transform that evolves the spectrum while loading it: the result of evolve.comp, without a round trip through
// memory. Layers 2c and 2c + 1 of the transform belong to cascade c. A work group that transforms both computes H once. For
// each of an invocation's LOADS it keeps either H (INPUT_SHARING 1) or the element of the second layer (2) in registers.
#include "spectrum/wave_vectors.glsl"
#include "spectrum/amplitudes.glsl"
#include "spectrum/evolve.glsl"

// Returns H of a bin at the time of the frame.
vec2 evolved(Cascade tile, ivec3 bin) {
    return evolve(load_amplitude(bin), load_steps(bin), tile.ticks);
}

// Returns the element of the first or second layer of a cascade.
Element packed_layer(Cascade tile, ivec3 bin, vec2 H, int which) {
    vec2 k = wave_vector(tile, bin.xy), D = orbits(k, tile);
    return which == 0 ? pack_displacement(H, k, D) : pack_derivatives(H, k, D);
}

#if INPUT_SHARING == 0
Element load_element(int element) {
    ivec3 bin = place(element) / ivec3(1, 1, 2);
    if (bool(GUARDED) && !exists(bin.xy)) return Element(0.0);
    Cascade tile = cascades[bin.z];
    return packed_layer(tile, bin, evolved(tile, bin), layer() & 1);
}
#define load_register(register_, element) load_element(element)
#elif INPUT_SHARING == 1
vec2 held[LOADS];

Element load_register(int register_, int element) {
    ivec3 bin = place(element) / ivec3(1, 1, 2);
    if (bool(GUARDED) && !exists(bin.xy)) return Element(0.0);
    Cascade tile = cascades[bin.z];
    if (group_layer == 0) held[register_] = evolved(tile, bin);
    return packed_layer(tile, bin, held[register_], group_layer);
}
#else
Element held[LOADS];

Element load_register(int register_, int element) {
    if (group_layer == 1) return held[register_];
    ivec3 bin = place(element) / ivec3(1, 1, 2);
    held[register_] = Element(0.0);
    if (bool(GUARDED) && !exists(bin.xy)) return Element(0.0);
    Cascade tile = cascades[bin.z];
    vec2 H = evolved(tile, bin), k = wave_vector(tile, bin.xy), D = orbits(k, tile);
    held[register_] = pack_derivatives(H, k, D);
    return pack_displacement(H, k, D);
}
#endif
