#version 430
// Writes the place of each pixel of the sea for list.comp and shade.comp, where the hardware's raster draws the mesh.
#include "common/view.glsl"

in vec2 still;
in vec3 relative;
out vec4 place;  // still water (xy), distance from the eye (z), the longer side of the pixel's footprint (w) [m]

void main() {
    place = vec4(still, distance(eye.xyz, relative), max(length(dFdx(still)), length(dFdy(still))));
}
