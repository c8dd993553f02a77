// The wave vectors of a tile's lattice, in FFT order.
#include "common/cascades.glsl"

// Returns the signed index of FFT bin i: 0 .. N/2 - 1, -N/2 .. -1.
ivec2 signed_index(ivec2 bin) {
    return bin - size * ivec2(greaterThanEqual(bin, ivec2(size / 2)));
}

// Returns R k [rad/m], in world axes.
vec2 wave_vector(Cascade tile, ivec2 bin) {
    return to_world(tile, vec2(signed_index(bin)) * (6.28318530717958648 / tile.side));
}

// Returns the bin of -k.
ivec2 mirrored(ivec2 bin) {
    return (size - bin) * ivec2(notEqual(bin, ivec2(0)));
}

// Returns whether a bin lies on the grid: work groups overlap the edge if the side is not a multiple of theirs.
bool exists(ivec2 bin) {
    return max(bin.x, bin.y) < size;
}
