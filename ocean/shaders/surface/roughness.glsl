// The slopes of waves that are too short to be drawn.
#include "common/view.glsl"

layout(binding = SAMPLER_SLOPES) uniform sampler2D slopes;  // covariance beyond a wave number, over log10 k; a: strain's

const float MESH_BLUR = 1.3;                       // over a cell, the wave number from which on a mesh shows none: slopes.py
const float SLOPES_LOW = -3.0, SLOPES_HIGH = 3.0;  // log10 of the table's wave numbers [rad/m]

// Covariance of the slopes of all waves beyond a wave number, and beyond what the maps hold, and (a) variance of the strain.
vec4 slopes_beyond(float cutoff) {
    float u = (log2(min(cutoff, grid_cutoff)) * 0.30103 - SLOPES_LOW) / (SLOPES_HIGH - SLOPES_LOW);
    float samples = float(textureSize(slopes, 0).x);
    return textureLod(slopes, vec2((u * (samples - 1.0) + 0.5) / samples, 0.5), 0.0);
}
