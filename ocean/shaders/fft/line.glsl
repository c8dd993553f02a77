// One work group transforms one line of one layer: SIZE elements with THREADS invocations.

layout(local_size_x = THREADS) in;

#include "fft/grid.glsl"

int line() { return group().x; }
int thread() { return int(gl_LocalInvocationID.x); }
