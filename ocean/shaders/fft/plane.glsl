// A dispatch of one step for all lines from FIRST_LINE on. A work group has ALONG invocations along a line, and ACROSS
// lines.

#ifndef FIRST_LINE
#define FIRST_LINE 0
#endif

#if AXIS == 0
layout(local_size_x = ALONG, local_size_y = ACROSS) in;
#else
layout(local_size_x = ACROSS, local_size_y = ALONG) in;
#endif

#include "fft/grid.glsl"

// Not gl_WorkGroupSize: NVIDIA's compiler crashes on its product with a uniform (driver 580).
int along() {
    return AXIS == 0 ? group().x * ALONG + int(gl_LocalInvocationID.x) : group().y * ALONG + int(gl_LocalInvocationID.y);
}
int line() {
    int across = AXIS == 0 ? group().y * ACROSS + int(gl_LocalInvocationID.y) : group().x * ACROSS + int(gl_LocalInvocationID.x);
    return FIRST_LINE + across;
}
