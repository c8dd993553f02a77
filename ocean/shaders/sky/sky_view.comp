#version 430
// The clear sky seen from the eye's height, over azimuth from the sun and elevation above the horizon (Hillaire 2020,
// section 5.3). Layer 0 is light by molecules and of higher orders, layer 1 single light by aerosols without its phase.
#include "sky/march.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = IMAGE_SKY) writeonly uniform image2DArray table;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    vec2 unit = vec2(texel) / vec2(imageSize(table).xy - 1);
    float azimuth = PI * unit.x;
    float elevation = (0.5 * PI - dip) * unit.y * unit.y + dip, mu = sin(elevation);
    float nu = mu * sun_direction.y + cos(elevation) * sqrt(1.0 - sun_direction.y * sun_direction.y) * cos(azimuth);
    vec3 even, glare, kept;
    march(table_height, mu, nu, to_top(table_height, mu), 48, even, glare, kept);
    imageStore(table, ivec3(texel, 0), vec4(even, 1.0));
    imageStore(table, ivec3(texel, 1), vec4(glare, 1.0));
}
