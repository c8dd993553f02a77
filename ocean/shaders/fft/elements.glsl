// Input and output of a kernel.
//
// A kernel transforms the line `line()` of layer `layer()` along AXIS (0: a row, elements run in x; 1: a column). It
// reads its input through load_element and writes its result through store_element. Both come from includes that the
// host chooses: load.glsl and store.glsl copy elements of the storage; other includes fuse the step before or after
// into the same dispatch. This file maps elements to positions in the storage. Groups may reach beyond the last line,
// unless the host excludes that (GUARDED 0): images return zeros and drop writes there, buffers are guarded. If
// invocations read the stores of others of their group, shared_elements.glsl makes the storage coherent (SHARING);
// elsewhere coherent storage would only bypass the caches.
#include "common/bindings.glsl"

#ifndef SHARING
#define SHARING
#endif
#ifndef GUARDED
#define GUARDED 1
#endif

ivec3 place(int element) {
    return AXIS == 0 ? ivec3(element, line(), layer()) : ivec3(line(), element, layer());
}

#if BUFFER
layout(std430, binding = STORAGE_FRONT) SHARING buffer Front { Element front_elements[]; };
layout(std430, binding = STORAGE_BACK) SHARING buffer Back { Element back_elements[]; };
uniform ivec2 extent;  // width and height

bool exists(ivec3 p) { return !bool(GUARDED) || (p.x < extent.x && p.y < extent.y); }
int address(ivec3 p) { return (p.z * extent.y + p.y) * extent.x + p.x; }
Element load_front(ivec3 p) { return exists(p) ? front_elements[address(p)] : Element(0.0); }
Element load_back(ivec3 p) { return exists(p) ? back_elements[address(p)] : Element(0.0); }
void store_front(ivec3 p, Element value) {
    if (exists(p)) front_elements[address(p)] = value;
}
void store_back(ivec3 p, Element value) {
    if (exists(p)) back_elements[address(p)] = value;
}
#else
#if PACKED == 1
layout(rg32f, binding = IMAGE_FRONT) SHARING uniform image2DArray front;
layout(rg32f, binding = IMAGE_BACK) SHARING uniform image2DArray back;
vec4 texel(vec2 value) { return vec4(value, 0.0, 0.0); }
#else
layout(rgba32f, binding = IMAGE_FRONT) SHARING uniform image2DArray front;
layout(rgba32f, binding = IMAGE_BACK) SHARING uniform image2DArray back;
vec4 texel(vec4 value) { return value; }
#endif
Element load_front(ivec3 p) { return Element(imageLoad(front, p)); }
Element load_back(ivec3 p) { return Element(imageLoad(back, p)); }
void store_front(ivec3 p, Element value) { imageStore(front, p, texel(value)); }
void store_back(ivec3 p, Element value) { imageStore(back, p, texel(value)); }
#endif

#if SCALED
uniform Real scale;
Element scaled(Element value) { return scale * value; }
#else
Element scaled(Element value) { return value; }
#endif

// Stores a result in the front half if WRITES_FRONT, else in the back half.
void store_result(ivec3 p, Element result) {
    if (bool(WRITES_FRONT)) store_front(p, result);
    else store_back(p, result);
}

#include LOAD_INCLUDE
#include STORE_INCLUDE
