#version 430
// Light scattered twice and more often, over the sun's height and that of the point (Hillaire 2020, equations 5 to 10):
// second-order light from 64 directions, and the share of an even field that one more scattering brings back, whose
// geometric series stands for all higher orders.
#include "sky/air.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = IMAGE_SKY) writeonly uniform image2D table;

const int STEPS = 20, SIDE = 8;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    vec2 unit = vec2(texel) / vec2(imageSize(table) - 1);
    float height = TOP * unit.y * unit.y, s = (1.0 + MULTIPLE_LOW) * unit.x - MULTIPLE_LOW, mu_sun = sign(s) * s * s;
    vec4 total = vec4(0.0), again = vec4(0.0), molecules, drops, extinction;
    for (int direction = 0; direction < SIDE * SIDE; ++direction) {
        float mu = 1.0 - 2.0 * (float(direction / SIDE) + 0.5) / float(SIDE), azimuth = PI * (float(direction % SIDE) + 0.5) / float(SIDE);
        float nu = mu * mu_sun + sqrt((1.0 - mu * mu) * (1.0 - mu_sun * mu_sun)) * cos(azimuth);
        bool hits = mu < horizon_cosine(height);
        float path = hits ? to_sea(height, mu) : to_top(height, mu);
        vec4 through = vec4(1.0);
        for (int i = 0; i < STEPS; ++i) {
            float a = float(i) / float(STEPS), b = float(i + 1) / float(STEPS), start = a * a * path, end = b * b * path;
            float along = 0.5 * (start + end), h = height_along(height, mu, along);
            float local_sun = (mu_sun * (EARTH_RADIUS + height) + along * nu) / (EARTH_RADIUS + h);
            coefficients(h, molecules, drops, extinction);
            vec4 kept = exp(-extinction * (end - start));
            vec4 scattered = through * (molecules + (1.0 - FORWARD) * drops) * (1.0 - kept) / extinction;
            total += scattered * sunlight(h, local_sun) / (4.0 * PI);
            again += scattered;
            through *= kept;
        }
        if (hits) {
            float sea_sun = (mu_sun * (EARTH_RADIUS + height) + path * nu) / EARTH_RADIUS;
            total += through * max(sea_sun, 0.0) * sunlight(0.0, sea_sun) * SEA_ALBEDO / PI;
        }
    }
    float share = 1.0 / float(SIDE * SIDE);
    imageStore(table, texel, total * share / (1.0 - again * share));
}
