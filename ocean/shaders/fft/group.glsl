// A work group of LINES transforms with THREADS invocations each. Neighbouring invocations belong to the same
// transform, or with ABREAST to neighbouring ones.

#if ABREAST
layout(local_size_x = LINES, local_size_y = THREADS) in;
#else
layout(local_size_x = THREADS, local_size_y = LINES) in;
#endif

#include "fft/grid.glsl"

int thread() { return int(bool(ABREAST) ? gl_LocalInvocationID.y : gl_LocalInvocationID.x); }
int lane() { return int(bool(ABREAST) ? gl_LocalInvocationID.x : gl_LocalInvocationID.y); }  // number of the transform
