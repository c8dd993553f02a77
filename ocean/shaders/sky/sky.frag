#version 430
// The sky behind the sea: gradient, glow and the sun's disc. Below the horizon, where the sea has ended, the haze.
#include "sky/radiance.glsl"

in vec2 uv;
out vec4 colour;

void main() {
    vec4 ray = clip_to_ray * vec4(2.0 * uv - 1.0, 1.0, 1.0);
    vec3 direction = normalize(ray.xyz);
    vec3 radiance = sky_radiance(direction);
    float cosine = dot(direction, sun.xyz);
    float solid_angle = 2.0 * PI * (1.0 - sun.w);
    float width = fwidth(cosine) + 1e-7;
    float disc = smoothstep(sun.w - width, sun.w + width, cosine) * smoothstep(-0.002, 0.002, direction.y);
    colour = vec4(exposure * (radiance + disc * sun_irradiance() / solid_angle), 1.0);
}
