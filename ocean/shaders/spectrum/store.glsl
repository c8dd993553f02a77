// Output of a transform that stores the maps twice: in single precision, and rounded to half floats. The GPU drops stores
// outside the image.
layout(rgba16f, binding = IMAGE_HALF_MAPS) writeonly uniform image2DArray half_maps;

#include "spectrum/rounded.glsl"

void store_element(int element, Element value) {
    ivec3 p = place(element);
    Element result = scaled(value);
    store_result(p, result);
    imageStore(half_maps, p, rounded(result));
}
