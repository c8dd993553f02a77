#version 430
// Computes tables of the air's radiance. The sky's table is indexed by azimuth from the sun and elevation above the
// horizon (Hillaire 2020, section 5.3), for the sky without clouds seen from the eye or from the sea: through all of
// the air (z = 0), and up to the clouds (z = 1). The table of aerial perspective (AERIAL), between eye and sea, is
// indexed by azimuth and distance, which determines the point of the sea. One program computes both, to save compile
// time.
#include "sky/march.glsl"
#include "sky/light.glsl"
#include "sky/sky_view.glsl"
#include "sky/aerial.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = IMAGE_SKY) writeonly uniform image2DArray table;

uniform int rays;    // first layer of the sky's table, SKY_OF_EYE or SKY_OF_SEA; or AERIAL
uniform bool clear;  // leave out clouds

// Cosine to the zenith of the ray that meets the sea at a distance; clamped to straight down and to the horizon.
float to_distance(float distance) {
    float r = EARTH_RADIUS + table_height;
    float mu = -(table_height * (2.0 * EARTH_RADIUS + table_height) + distance * distance) / max(2.0 * r * distance, 1.0);
    return clamp(mu, -1.0, horizon_cosine(table_height));
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    vec2 unit = vec2(texel) / vec2(imageSize(table).xy - 1);
    bool before_clouds = gl_GlobalInvocationID.z == 1u;
    float height = rays == SKY_OF_SEA ? 0.0 : table_height, horizon = rays == SKY_OF_EYE ? dip : 0.0;
    float mu = min(sin((0.5 * PI - horizon) * unit.y * unit.y + horizon), 1.0);  // GPUs' sines may exceed 1
    float path = to_shell(height, mu, before_clouds ? max(clouds.y, height) : TOP);
    if (rays == AERIAL) {
        path = FARTHEST * unit.y * unit.y * unit.y;
        mu = to_distance(path);
    }
    float across = sqrt((1.0 - mu * mu) * (1.0 - sun_direction.y * sun_direction.y));
    float nu = mu * sun_direction.y + across * cos(PI * unit.x);
    vec3 even, glare, kept;
    bool is_whole = rays != AERIAL && !before_clouds;
    march(height, mu, nu, path, is_whole ? 48 : 24, clear ? vec4(1.0) : light.below, even, glare, kept);
    int layer = (rays == AERIAL ? 0 : rays) + (before_clouds ? BEFORE_CLOUDS : 0);
    imageStore(table, ivec3(texel, layer), vec4(even, 1.0));
    imageStore(table, ivec3(texel, layer + 1), vec4(glare, 1.0));
    if (!is_whole) imageStore(table, ivec3(texel, layer + 2), vec4(kept, 1.0));
}
