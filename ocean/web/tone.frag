// The displayed picture: the program's tone curve and dither, without bloom.
#include "common/noise.glsl"
#include "post/colours.glsl"

uniform vec2 scale;  // pixels of `hdr` for each displayed pixel

out vec4 colour;

void main() {
    vec2 pixel = gl_FragCoord.xy;
    vec3 radiance = texture(hdr, pixel * scale / vec2(textureSize(hdr, 0))).rgb;
    colour = vec4(displayed(radiance) + (noise(pixel) - 0.5) / 255.0, 1.0);
}
