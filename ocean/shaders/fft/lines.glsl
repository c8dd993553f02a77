// One work group transforms LINES neighbouring lines of one layer. Invocations that are neighbours in the group touch
// neighbours in memory: along a row they follow each other, of columns they lie abreast (ABREAST), or of rows in images,
// whose texels lie two by two.
#include "fft/group.glsl"

int line() { return group().x * LINES + lane(); }
