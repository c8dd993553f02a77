#version 430
// From linear radiance to the display: the ACES filmic curve as fitted by Hill (2017), sRGB encoding, and half a step of
// noise so that gradients do not band.
#include "common/bindings.glsl"

layout(binding = SAMPLER_HDR) uniform sampler2D hdr;

in vec2 uv;
out vec4 colour;

const mat3 INPUT = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
const mat3 OUTPUT = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);

vec3 filmic(vec3 radiance) {
    vec3 v = INPUT * radiance;
    v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
    return clamp(OUTPUT * v, 0.0, 1.0);
}

vec3 srgb(vec3 linear) {
    return mix(12.92 * linear, 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, greaterThan(linear, vec3(0.0031308)));
}

float noise(vec2 pixel) {  // interleaved gradient noise (Jimenez 2014)
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}

void main() {
    vec3 radiance = texelFetch(hdr, ivec2(gl_FragCoord.xy), 0).rgb;
    colour = vec4(srgb(filmic(radiance)) + (noise(gl_FragCoord.xy) - 0.5) / 255.0, 1.0);
}
