#version 430
// What is behind everything where the eye is under water: more water.
#include "surface/underwater.glsl"

in vec2 uv;
out vec4 colour;

void main() {
    if (eye.w <= 0.0) discard;
    vec4 ray = clip_to_ray * vec4(2.0 * uv - 1.0, 1.0, 1.0);
    colour = vec4(exposure * open_water(normalize(ray.xyz), eye.w), 1.0);
}
