#version 430
// The buoy's mesh, put where it floats.
#include "common/view.glsl"

layout(std140, binding = BLOCK_POSE) uniform Pose { mat4 pose; };

in vec3 in_position;  // m, from the middle of the water line
in vec3 in_normal;
in vec3 in_colour;    // sRGB

out vec3 relative;
out vec3 normal;
out vec3 albedo;

void main() {
    relative = (pose * vec4(in_position, 1.0)).xyz;
    relative.y -= dot(relative.xz, relative.xz) / (2.0 * EARTH_RADIUS);  // as the surface that it floats on
    normal = mat3(pose) * in_normal;
    albedo = pow(in_colour, vec3(2.2));
    gl_Position = view_projection * vec4(relative, 1.0);
}
