// Rounds to half precision, ties to even, because drivers may truncate where they store halves.
vec4 rounded(vec4 x) {
    uvec4 bits = floatBitsToUint(x);
    return uintBitsToFloat((bits + 0xFFFu + (bits >> 13u & 1u)) & 0xFFFFE000u);
}
