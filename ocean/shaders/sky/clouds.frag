#version 430
// The clouds and the veil above them, over the sky: what they add, and the share of what is behind that they leave (a).
#include "sky/radiance.glsl"
#include "sky/veil.glsl"
#include "common/noise.glsl"

in vec2 uv;
out vec4 colour;

void main() {
    vec3 direction = normalize((clip_to_ray * vec4(2.0 * uv - 1.0, 1.0, 1.0)).xyz);
    vec3 kept, air = air_before_clouds(direction, dip, SKY_OF_EYE, kept);
    vec4 layer = cloud_light(eye.y, direction, air, kept, 32, 12, noise(gl_FragCoord.xy));
    vec4 veil = veil_light(eye.y, direction, clear_sky_radiance(direction), length(fwidth(direction)));
    colour = vec4(exposed(layer.rgb + layer.a * veil.rgb).rgb, layer.a * veil.a);
}
