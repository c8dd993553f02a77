// The buffer between the two axes of a transform: SIDE x SIDE elements per layer, in blocks of BLOCK columns. One block
// of all columns is in row order. With narrow blocks a group of the second axis, which transforms BLOCK columns, reads
// one contiguous run. HALVES packs an element's four floats into half the bytes.
#include "common/bindings.glsl"

#if HALVES
#define Stored uvec2
Stored pack_middle(vec4 x) { return uvec2(packHalf2x16(x.xy), packHalf2x16(x.zw)); }
vec4 unpack_middle(Stored x) { return vec4(unpackHalf2x16(x.x), unpackHalf2x16(x.y)); }
#else
#define Stored Element
Stored pack_middle(Element x) { return x; }
Element unpack_middle(Stored x) { return x; }
#endif

layout(std430, binding = STORAGE_MIDDLE) buffer Middle { Stored middle[]; };

#define BLOCKS ((SIDE + BLOCK - 1) / BLOCK)  // blocks of a layer

bool is_inside(ivec3 p) { return !bool(GUARDED) || max(p.x, p.y) < SIDE; }

int middle_address(ivec3 p) {
    uint column = uint(p.x), block = column / uint(BLOCK);
    return ((p.z * BLOCKS + int(block)) * SIDE + p.y) * BLOCK + int(column % uint(BLOCK));
}
