// Finds the water at a position x. Choppiness moves the water that rests at p to p + c D(p), so p is the fixed point of
// x - c D(p).
//
// The including shader defines `vec3 displacement_at(vec2 position)`: (c Dx, h, c Dz) [m] of the water that rests at a
// position relative to the origin. The host defines TOLERANCE [m] and MOST_STEPS. The iteration works on offsets p - x,
// because they are small and float32 keeps them exact.

struct Found {
    vec2 offset;        // p - x [m]
    vec3 displacement;  // (c Dx, h, c Dz) at p
    float residual;     // |p + c D(p) - x| [m]
    int steps;
};

// Returns the water at a position `place` [m]; the search begins at the rest position place + guess.
Found find_water(vec2 place, vec2 guess) {
    Found found;
    found.offset = guess;
    for (found.steps = 0;; ++found.steps) {
        found.displacement = displacement_at(place + found.offset);
        vec2 off = found.offset + found.displacement.xz;
        found.residual = length(off);
        if (found.residual <= TOLERANCE || found.steps == MOST_STEPS) return found;
        found.offset -= off;
    }
}
