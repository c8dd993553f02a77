#version 430
// A part of a picture of which each pixel was drawn as several: the mean of all their samples. ocean/render/far.py says why.
#include "common/bindings.glsl"

layout(binding = SAMPLER_SCENE) uniform sampler2DMS scene;
uniform ivec2 corner;  // of the part in the picture; the scene begins with it
uniform ivec2 times;   // columns and rows that each pixel was drawn as

out vec4 colour;

void main() {
    ivec2 first = times * (ivec2(gl_FragCoord.xy) - corner);
    colour = vec4(0.0);
    for (int y = 0; y < times.y; ++y)
        for (int x = 0; x < times.x; ++x)
            for (int i = 0; i < SAMPLES; ++i) colour += texelFetch(scene, first + ivec2(x, y), i);
    colour /= float(times.x * times.y * SAMPLES);
}
