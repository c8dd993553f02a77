// The plain way in and out of a kernel: elements of the storage, moved as they are.
//
// A kernel transforms the line `line()` of layer `layer()` along AXIS (0: a row, elements run in x; 1: a column). It
// reads its input through load_element and writes its result through store_element; another include with these two
// functions fuses the step before or after into the same dispatch. The input lies in the front half of the storage, the
// result goes there too if WRITES_FRONT, else to the back half. Groups may reach beyond the last line: images read zeros
// and drop writes there, buffers are guarded.
#include "common/bindings.glsl"

ivec3 place(int element) {
    return AXIS == 0 ? ivec3(element, line(), layer()) : ivec3(line(), element, layer());
}

#if BUFFER
layout(std430, binding = STORAGE_FRONT) coherent buffer Front { Element front_elements[]; };
layout(std430, binding = STORAGE_BACK) coherent buffer Back { Element back_elements[]; };
uniform ivec2 extent;  // width and height

bool exists(ivec3 p) { return p.x < extent.x && p.y < extent.y; }
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
layout(rg32f, binding = IMAGE_FRONT) coherent uniform image2DArray front;
layout(rg32f, binding = IMAGE_BACK) coherent uniform image2DArray back;
vec4 texel(vec2 value) { return vec4(value, 0.0, 0.0); }
#else
layout(rgba32f, binding = IMAGE_FRONT) coherent uniform image2DArray front;
layout(rgba32f, binding = IMAGE_BACK) coherent uniform image2DArray back;
vec4 texel(vec4 value) { return value; }
#endif
Element load_front(ivec3 p) { return Element(imageLoad(front, p)); }
Element load_back(ivec3 p) { return Element(imageLoad(back, p)); }
void store_front(ivec3 p, Element value) { imageStore(front, p, texel(value)); }
void store_back(ivec3 p, Element value) { imageStore(back, p, texel(value)); }
#endif

// Let the group's other invocations read what this one stored.
void synchronise_storage() {
#if BUFFER
    memoryBarrierBuffer();
#else
    memoryBarrierImage();
#endif
    barrier();
}

#if SCALED
uniform Real scale;
#else
#define scale 1.0
#endif

Element load_element(int element) { return load_front(place(element)); }

void store_element(int element, Element value) {
    if (bool(WRITES_FRONT)) store_front(place(element), scale * value);
    else store_back(place(element), scale * value);
}
