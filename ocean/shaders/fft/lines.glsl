// One work group transforms LINES neighbouring lines of one layer. Neighbouring invocations access neighbours in
// memory: elements of one row; or with ABREAST elements of neighbouring columns, or of neighbouring rows of an image,
// whose texels lie in tiles.
#include "fft/group.glsl"

#ifndef TURNS
#define TURNS 1  // sets of lines that a group transforms one after the other
#endif
int sets_done = 0;

int line() { return (group().x * TURNS + sets_done) * LINES + lane(); }
