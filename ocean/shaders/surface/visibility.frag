#version 430
// Writes what shade.comp needs of the visibility sample of each pixel of the sea, where the hardware's raster draws the
// mesh.
in vec2 still;
out vec4 visible;  // still water (xy), depth (z), the longer side of the pixel's footprint (w) [m]

void main() { visible = vec4(still, 1.0 / gl_FragCoord.w, max(length(dFdx(still)), length(dFdy(still)))); }
