// Output of a transform whose odd layers are derivatives: it stores the maps, and the derivatives once more as half floats,
// a layer a cascade. The GPU drops stores outside of the image.
layout(rgba16f, binding = IMAGE_DERIVATIVES) writeonly uniform image2DArray derivatives;

// Rounds to the nearest floats with the bits of a half, ties to even: drivers may truncate instead.
vec4 rounded(vec4 x) {
    uvec4 bits = floatBitsToUint(x);
    return uintBitsToFloat((bits + 0xFFFu + (bits >> 13u & 1u)) & 0xFFFFE000u);
}

void store_element(int element, Element value) {
    ivec3 p = place(element);
    Element result = scaled(value);
    store_result(p, result);
    if ((p.z & 1) == 1) imageStore(derivatives, p / ivec3(1, 1, 2), rounded(result));
}
