// The plain way in and out of a line kernel: texels of the ping-pong pair, moved as they are.
//
// A kernel transforms the line `line()` of layer `layer()` along AXIS (0: a row, elements run in x; 1: a column). It
// reads its input through load_element and writes its result through store_element; another include with these two
// functions fuses the step before or after into the same dispatch. READS_FRONT and WRITES_FRONT say which image of the
// pair the input lies in and the result goes to; SCALE multiplies the result.
#include "common/bindings.glsl"

layout(rgba32f, binding = IMAGE_FRONT) coherent uniform image2DArray front;
layout(rgba32f, binding = IMAGE_BACK) coherent uniform image2DArray back;

ivec3 texel(int element) {
    return AXIS == 0 ? ivec3(element, line(), layer()) : ivec3(line(), element, layer());
}

vec4 load_element(int element) {
    return bool(READS_FRONT) ? imageLoad(front, texel(element)) : imageLoad(back, texel(element));
}

void store_element(int element, vec4 value) {
    if (bool(WRITES_FRONT)) imageStore(front, texel(element), SCALE * value);
    else imageStore(back, texel(element), SCALE * value);
}
