#version 430
// The sky without its clouds seen from the eye's height or from the sea, over azimuth from the sun and elevation above
// the horizon (Hillaire 2020, section 5.3), and the air before the clouds.
#include "sky/march.glsl"
#include "sky/light.glsl"
#include "sky/sky_view.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = IMAGE_SKY) writeonly uniform image2DArray table;

uniform int layer;  // the first of the place's

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    vec2 unit = vec2(texel) / vec2(imageSize(table).xy - 1);
    float height = layer == SKY_OF_EYE ? table_height : 0.0, horizon = layer == SKY_OF_EYE ? dip : 0.0;
    float azimuth = PI * unit.x;
    float elevation = (0.5 * PI - horizon) * unit.y * unit.y + horizon, mu = sin(elevation);
    float nu = mu * sun_direction.y + cos(elevation) * sqrt(1.0 - sun_direction.y * sun_direction.y) * cos(azimuth);
    vec3 even, glare, kept;
    march(height, mu, nu, to_top(height, mu), 48, light.below, even, glare, kept);
    imageStore(table, ivec3(texel, layer), vec4(even, 1.0));
    imageStore(table, ivec3(texel, layer + 1), vec4(glare, 1.0));
    height = height_below_clouds(height);
    march(height, mu, nu, to_shell(height, mu, clouds.y), 24, light.below, even, glare, kept);
    imageStore(table, ivec3(texel, layer + BEFORE_CLOUDS), vec4(even, 1.0));
    imageStore(table, ivec3(texel, layer + BEFORE_CLOUDS + 1), vec4(glare, 1.0));
    imageStore(table, ivec3(texel, layer + BEFORE_CLOUDS + 2), vec4(kept, 1.0));
}
