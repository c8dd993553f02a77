// The store of the first axis to the buffer between the axes.
#include "fft/middle.glsl"

void store_element(int element, Element value) {
    ivec3 p = place(element);
    if (is_inside(p)) middle[middle_address(p)] = pack_middle(scaled(value));
}
