// Rounds to the nearest floats with the bits of a half, ties to even: drivers may truncate instead.
vec4 rounded(vec4 x) {
    uvec4 bits = floatBitsToUint(x);
    return uintBitsToFloat((bits + 0xFFFu + (bits >> 13u & 1u)) & 0xFFFFE000u);
}
