// One work group transforms LINES neighbouring lines of one layer. Neighbouring invocations access neighbours in
// memory: elements of one row; or with ABREAST elements of neighbouring columns, or of neighbouring rows of an image,
// whose texels lie in tiles.
#include "fft/group.glsl"

int line() { return group().x * LINES + lane(); }
