// The displayed picture: the program's tone curve and dither, without bloom.
#include "common/noise.glsl"
#include "post/colours.glsl"

out vec4 colour;

void main() {
    colour = vec4(colour_of(ivec2(gl_FragCoord.xy)) + (noise(gl_FragCoord.xy) - 0.5) / 255.0, 1.0);
}
