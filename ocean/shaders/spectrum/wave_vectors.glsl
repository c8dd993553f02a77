// The wave vectors of a tile's lattice, in FFT order.
#include "common/cascades.glsl"

// Signed index of FFT bin i: 0 .. N/2 - 1, -N/2 .. -1.
ivec2 signed_index(ivec2 bin) {
    return bin - size * ivec2(greaterThanEqual(bin, ivec2(size / 2)));
}

// R k [rad/m], in world axes.
vec2 wave_vector(Cascade tile, ivec2 bin) {
    return to_world(tile, vec2(signed_index(bin)) * (6.28318530717958648 / tile.side));
}

// The bin of -k.
ivec2 mirrored(ivec2 bin) {
    return (size - bin) * ivec2(notEqual(bin, ivec2(0)));
}

// Whether there is such a bin: work groups stand over the edge of a grid whose side is no multiple of theirs.
bool exists(ivec2 bin) {
    return max(bin.x, bin.y) < size;
}
