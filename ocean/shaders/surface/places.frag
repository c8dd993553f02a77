#version 430
// Writes the place of each pixel of the sea for shade.comp, where the hardware's raster draws the mesh.
in vec2 still;
out vec4 place;  // still water (xy), depth (z), the longer side of the pixel's footprint (w) [m]

void main() { place = vec4(still, 1.0 / gl_FragCoord.w, max(length(dFdx(still)), length(dFdy(still)))); }
