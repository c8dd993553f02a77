// The load of the second axis from the buffer between the axes.
#include "fft/middle.glsl"

Element load_element(int element) {
    ivec3 p = place(element);
    return is_inside(p) ? unpack_middle(middle[middle_address(p)]) : Element(0.0);
}
#define load_register(register_, element) load_element(element)
