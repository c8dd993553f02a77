#version 430
// Draws sky or open water behind a sea that the hardware's raster has drawn: without the sun's disc, or the DISC alone.
#include "sky/behind.glsl"

uniform vec2 size;  // of the picture [pixels]

out vec4 colour;

void main() {
#if DISC
    colour = vec4(disc_behind(gl_FragCoord.xy, size), 0.0);
#else
    colour = vec4(behind_disc(gl_FragCoord.xy, size), 1.0);
#endif
}
