#version 430
// Computes the transmittance of clouds and veil for sunlight, over the whole sea, in the coordinates of shadow.glsl.
#include "sky/cloud_shape.glsl"
#include "sky/shadow.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(r32f, binding = IMAGE_SKY) writeonly uniform image2D table;

const float LONGEST = 340.0;  // m: target length of a step; a ray takes 12 to 48 steps

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    float side = float(imageSize(table).x), grain, share = 1.0;
    vec2 position = shadow_position((vec2(texel) + 0.5) / side, side, grain);
    if (clouds.x < 1.0 && sun_direction.y > 0.0) {
        float near = to_shell(0.0, sun_direction.y, clouds.y), far = to_shell(0.0, sun_direction.y, clouds.y + clouds.z);
        int steps = int(clamp((far - near) / LONGEST, 12.0, 48.0));
        float fine = max(0.6 * (far - near) / float(steps), grain), depth = 0.0;
        for (int i = 0; i < steps; ++i) {
            float y = (float(i) + 0.5) / float(steps);
            vec2 p = carried + position + mix(near, far, y) * sun_direction.xz;
            vec3 field = cloud_field(p, fine);
            float low = float(i) / float(steps), over = cloud_shape(p, field, y, fine);
            depth += cloud_extinction(p, field.yz, fine) * column(over, low, low + 1.0 / float(steps));
        }
        share = exp(-depth * (far - near) / clouds.z);
    }
    if (deck.w > 0.0 && sun_direction.y > 0.0) {
        float far = to_shell(0.0, sun_direction.y, VEIL_HEIGHT);
        float up = (EARTH_RADIUS * sun_direction.y + far) / (EARTH_RADIUS + VEIL_HEIGHT);
        share *= exp(-veil_depth(carried + position + far * sun_direction.xz, grain) / up);
    }
    imageStore(table, texel, vec4(share));
}
