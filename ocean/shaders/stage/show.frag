#version 430
// Values of a view become colours, and its legend is laid over them. debug_views/legend.py colours alike.
#include "common/bindings.glsl"

layout(binding = SAMPLER_STAGE) uniform sampler2D values;    // rgb, and a > 0 where there is something
layout(binding = SAMPLER_PALETTE) uniform sampler2D palette; // a row of colours
layout(binding = SAMPLER_LEGEND) uniform sampler2D legend;

uniform vec2 range;     // of the values, from the first colour to the last
uniform ivec2 place;    // of the legend's lower left corner [pixels]

in vec2 uv;
out vec4 colour;

const vec3 NOTHING = vec3(0.07, 0.08, 0.09);

vec3 ramp(float t) {
    int last = textureSize(palette, 0).x - 1;
    return texelFetch(palette, ivec2(int(clamp(t, 0.0, 1.0) * float(last) + 0.5), 0), 0).rgb;
}

float linear(float x) { return (x - range.x) / (range.y - range.x); }

float logarithmic(float x) { return log(max(x, 1e-30) / range.x) / log(range.y / range.x); }

float turn(vec2 z) { return z == vec2(0.0) ? 0.0 : atan(z.y, z.x) / 6.28318530717958648 + 0.5; }

vec3 srgb(vec3 x) {
    x = clamp(x, 0.0, 1.0);
    return mix(12.92 * x, 1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, greaterThan(x, vec3(0.0031308)));
}

void main() {
    vec4 found = texelFetch(values, ivec2(gl_FragCoord.xy), 0);
    vec3 v = found.rgb;
    colour = vec4(found.a > 0.0 ? clamp(SCALE, 0.0, 1.0) : NOTHING, 1.0);
    ivec2 label = ivec2(gl_FragCoord.xy) - place, size = textureSize(legend, 0);
    if (min(label.x, label.y) >= 0 && label.x < size.x && label.y < size.y) {
        vec4 over = texelFetch(legend, ivec2(label.x, size.y - 1 - label.y), 0);
        colour.rgb = mix(colour.rgb, over.rgb, over.a);
    }
}
