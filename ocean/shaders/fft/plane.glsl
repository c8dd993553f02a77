// A dispatch that does one step for all lines: work groups of ALONG invocations along a line times ACROSS lines.

#if AXIS == 0
layout(local_size_x = ALONG, local_size_y = ACROSS) in;
#else
layout(local_size_x = ACROSS, local_size_y = ALONG) in;
#endif

#include "fft/grid.glsl"

int along() { return AXIS == 0 ? invocation().x : invocation().y; }
int line() { return AXIS == 0 ? invocation().y : invocation().x; }
