#version 430
// Computes the moments of scattered light over the sun's elevation and the point's height, from 64 directions. A pass
// scatters sunlight and the light in the table of the previous pass. The first pass has no such table and takes a
// geometric series instead, of the fraction of an isotropic field that one more scattering returns (Hillaire 2020,
// equations 5 to 10).
#include "sky/scattered.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = IMAGE_SKY) writeonly uniform image2DArray table;

uniform bool first;

const int STEPS = 20, SIDE = 8;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    vec2 unit = vec2(texel) / vec2(imageSize(table).xy - 1);
    float height = TOP * unit.y * unit.y, low = asinh(MULTIPLE_LOW / MULTIPLE_FINE), high = asinh(1.0 / MULTIPLE_FINE);
    float mu_sun = clamp(MULTIPLE_FINE * sinh(mix(low, high, unit.x)), -1.0, 1.0);
    vec4 total[6] = vec4[6](vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
    vec4 share = vec4(0.0), molecules, drops, extinction;
    for (int direction = 0; direction < SIDE * SIDE; ++direction) {
        float z = 1.0 - 2.0 * (float(direction / SIDE) + 0.5) / float(SIDE);
        float azimuth = PI * (float(direction % SIDE) + 0.5) / float(SIDE);
        float x = sqrt(1.0 - z * z) * cos(azimuth), nu = z * mu_sun + x * sqrt(1.0 - mu_sun * mu_sun);
        bool hits = z < horizon_cosine(height);
        float path = hits ? to_sea(height, z) : to_top(height, z);
        vec4 through = vec4(1.0), found = vec4(0.0);
        for (int i = 0; i < STEPS; ++i) {
            float a = float(i) / float(STEPS), b = float(i + 1) / float(STEPS), start = a * a * path, end = b * b * path;
            float along = 0.5 * (start + end), h = height_along(height, z, along);
            float up = (z * (EARTH_RADIUS + height) + along) / (EARTH_RADIUS + h);
            float local_sun = (mu_sun * (EARTH_RADIUS + height) + along * nu) / (EARTH_RADIUS + h);
            coefficients(h, molecules, drops, extinction);
            vec4 kept = exp(-extinction * (end - start)), scattered = through * (1.0 - kept) / extinction;
            vec4 beam = sunlight(h, local_sun) / (4.0 * PI);
            vec4 source = scattered_towards(molecules, drops, beam, nu * beam, (1.5 * nu * nu - 0.5) * beam);
            if (first) {
                vec4 isotropic = scattered_towards(molecules, drops, vec4(1.0), vec4(0.0), vec4(0.0));
                share += scattered * isotropic / float(SIDE * SIDE);
            } else {
                source += rescattered(h, up, local_sun, nu, molecules, drops);
            }
            found += scattered * source;
            through *= kept;
        }
        if (hits) {
            float sea_sun = (mu_sun * (EARTH_RADIUS + height) + path * nu) / EARTH_RADIUS;
            vec4 lit = max(sea_sun, 0.0) * sunlight(0.0, sea_sun);
            if (!first) lit += 2.0 * PI * multiple(0.0, sea_sun);
            found += through * lit * SEA_ALBEDO / PI;
        }
        float moments[6] = float[6](1.0, x, z, x * x, z * z, x * z);
        for (int i = 0; i < 6; ++i) total[i] += moments[i] * found / float(SIDE * SIDE);
    }
    for (int i = 0; i < 6; ++i) imageStore(table, ivec3(texel, i), total[i] / (1.0 - share));
}
