// Statistics of the waves that are too short to be resolved, from a table over wave number.
#include "common/view.glsl"
layout(binding = SAMPLER_SLOPES) uniform sampler2D slopes;  // table of `slopes_beyond` over log10 k

const float MESH_BLUR = 2.38;                      // a mesh of cells of side s resolves wave numbers to MESH_BLUR / s
const float SLOPES_LOW = -3.0, SLOPES_HIGH = 3.0;  // log10 of the table's first and last wave number [rad/m]

// Slope covariance (xx, zz, xz) of the waves beyond a wave number [rad/m], and (a) variance of their strain Dxx + Dzz.
vec4 slopes_beyond(float cutoff) {
    float u = (log2(min(cutoff, grid_cutoff)) * 0.30103 - SLOPES_LOW) / (SLOPES_HIGH - SLOPES_LOW);
    float samples = float(textureSize(slopes, 0).x);
    return textureLod(slopes, vec2((u * (samples - 1.0) + 0.5) / samples, 0.5), 0.0);
}
