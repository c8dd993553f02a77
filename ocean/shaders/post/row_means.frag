#version 430
// Rows of far water, of which each was drawn as several: the mean of all their samples. ocean/render/far.py says why.
#include "common/bindings.glsl"

layout(binding = SAMPLER_SCENE) uniform sampler2DMS scene;
uniform int first, times;  // row of the picture that the scene begins with, and as how many each was drawn

out vec4 colour;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    colour = vec4(0.0);
    for (int row = 0; row < times; ++row)
        for (int i = 0; i < SAMPLES; ++i)
            colour += texelFetch(scene, ivec2(pixel.x, times * (pixel.y - first) + row), i) / float(times * SAMPLES);
}
