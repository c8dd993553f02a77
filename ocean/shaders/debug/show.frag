#version 430
// Maps the values of a debug view to colours and draws the legend over them. The reference implementation is
// tests/render/colours.py.
#include "common/bindings.glsl"
#include "post/srgb.glsl"

layout(binding = SAMPLER_DEBUG_VALUES) uniform sampler2D values;    // rgb; a > 0 where there is a value
layout(binding = SAMPLER_PALETTE) uniform sampler2D palette; // a row of colours
layout(binding = SAMPLER_LEGEND) uniform sampler2D legend;

uniform vec2 range;   // values of the first and the last colour
uniform ivec2 place;  // lower left corner of the legend [pixels]
uniform ivec2 shift;  // from a pixel to its value [pixels]
uniform int channel;  // number that is shown alone, from 1; 0: all

out vec4 colour;

const vec3 NOTHING = vec3(0.07, 0.08, 0.09);

vec3 ramp(float t) {
    int last = textureSize(palette, 0).x - 1;
    return texelFetch(palette, ivec2(int(clamp(t, 0.0, 1.0) * float(last) + 0.5), 0), 0).rgb;
}

float linear(float x) { return (x - range.x) / (range.y - range.x); }

float logarithmic(float x) { return log(max(x, 1e-30) / range.x) / log(range.y / range.x); }

float turn(vec2 z) { return z == vec2(0.0) ? 0.0 : atan(z.y, z.x) / 6.28318530717958648 + 0.5; }

void main() {
    vec4 found = texelFetch(values, ivec2(gl_FragCoord.xy) + shift, 0);
    vec3 v = channel > 0 ? vec3(found[channel - 1]) : found.rgb;
    colour = vec4(found.a > 0.0 ? clamp(SCALE, 0.0, 1.0) : NOTHING, 1.0);
    ivec2 label = ivec2(gl_FragCoord.xy) - place, size = textureSize(legend, 0);
    if (min(label.x, label.y) >= 0 && label.x < size.x && label.y < size.y) {
        vec4 over = texelFetch(legend, ivec2(label.x, size.y - 1 - label.y), 0);
        colour.rgb = mix(colour.rgb, over.rgb, over.a);
    }
}
