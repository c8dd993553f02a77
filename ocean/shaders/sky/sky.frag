#version 430
// The sky behind the sea: gradient, glow and the sun's disc. Below the horizon, where the sea has ended, the haze.
#include "sky/radiance.glsl"

in vec2 uv;
out vec4 colour;

void main() {
    vec4 ray = clip_to_ray * vec4(2.0 * uv - 1.0, 1.0, 1.0);
    vec3 direction = normalize(ray.xyz);
    vec3 radiance = sky_radiance(direction);
    float solid_angle = 2.0 * PI * (1.0 - sun.w);
    float off = length(cross(direction, sun.xyz)), edge = sqrt(1.0 - sun.w * sun.w);  // sines of angles from the middle
    float pixel = max(fwidth(off), 1e-6);
    float disc = clamp(0.5 + (edge - off) / pixel, 0.0, 1.0) * smoothstep(-0.002, 0.002, direction.y);
    if (dot(direction, sun.xyz) < 0.0) disc = 0.0;
    colour = vec4(exposure * (radiance + disc * sun_irradiance() / solid_angle), 1.0);
}
