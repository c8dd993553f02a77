#version 430
// The air between the eye and the sea, over azimuth from the sun and distance: layers 0 and 1 as those of sky_view.comp,
// layer 2 the share that is left of the sea's light. Points of the sea lie on one surface, so distance is all it takes.
#include "sky/march.glsl"
#include "sky/light.glsl"
#include "sky/aerial.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = IMAGE_SKY) writeonly uniform image2DArray table;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    vec2 unit = vec2(texel) / vec2(imageSize(table).xy - 1);
    float azimuth = PI * unit.x, distance = FARTHEST * unit.y * unit.y * unit.y;
    // The ray that meets the sea at this distance; nearer than the eye's height straight down, past the horizon along it.
    float r = EARTH_RADIUS + table_height;
    float mu = -(table_height * (2.0 * EARTH_RADIUS + table_height) + distance * distance) / max(2.0 * r * distance, 1.0);
    mu = clamp(mu, -1.0, horizon_cosine(table_height));
    float nu = mu * sun_direction.y + sqrt((1.0 - mu * mu) * (1.0 - sun_direction.y * sun_direction.y)) * cos(azimuth);
    vec3 even, glare, kept;
    march(table_height, mu, nu, distance, 24, light.below, even, glare, kept);
    imageStore(table, ivec3(texel, 0), vec4(even, 1.0));
    imageStore(table, ivec3(texel, 1), vec4(glare, 1.0));
    imageStore(table, ivec3(texel, 2), vec4(kept, 1.0));
}
