#version 430
// Where each pixel of the sea lies, for surface.frag to shade when all triangles are drawn (deferred shading: Deering et
// al. 1988). GPUs shade blocks of pixels, of which a triangle of a few pixels wastes most.
#include "common/view.glsl"

in vec2 still;
in vec3 relative;
out vec4 place;  // still water (xy), distance from the eye (z), the longer side of the pixel's footprint (w) [m]

void main() {
    place = vec4(still, distance(eye.xyz, relative), max(length(dFdx(still)), length(dFdy(still))));
}
