#version 430
// Computes the transmittance from a height to the top of the air, over direction and height (Bruneton 2017's
// coordinates).
#include "sky/air.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = IMAGE_SKY) writeonly uniform image2D table;

const int STEPS = 64;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    vec2 unit = vec2(texel) / vec2(imageSize(table) - 1);
    float reach = sqrt(TOP * (2.0 * EARTH_RADIUS + TOP)), rho = unit.y * reach;
    float h = rho * rho / (sqrt(rho * rho + EARTH_RADIUS * EARTH_RADIUS) + EARTH_RADIUS), r = EARTH_RADIUS + h;
    float nearest = TOP - h, d = nearest + unit.x * (rho + reach - nearest);
    float mu = d > 0.0 ? clamp((reach * reach - rho * rho - d * d) / (2.0 * r * d), -1.0, 1.0) : 1.0;
    vec4 depth = vec4(0.0), molecules, drops, extinction;
    for (int i = 0; i < STEPS; ++i) {
        float s = (float(i) + 0.5) / float(STEPS);
        coefficients(height_along(h, mu, d * s * s), molecules, drops, extinction);
        depth += extinction * 2.0 * s / float(STEPS);
    }
    imageStore(table, texel, exp(-depth * d));
}
