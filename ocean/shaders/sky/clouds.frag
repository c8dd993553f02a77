#version 430
// The clouds and the veil above them, over the sky: what they add, and the share of what is behind that they leave (a).
#include "sky/radiance.glsl"
#include "sky/veil.glsl"
#include "common/noise.glsl"

in vec2 uv;
out vec4 colour;

void main() {
    vec3 direction = normalize((clip_to_ray * vec4(2.0 * uv - 1.0, 1.0, 1.0)).xyz);
    float dither = noise(gl_FragCoord.xy);
    vec3 kept, glare, air = air_before_clouds(direction, dip, SKY_OF_EYE, kept, glare);
    vec3 shafts = (sunlit_air(direction, to_shell(eye.y, direction.y, clouds.y), 96, dither) - 1.0) * glare;
    vec4 layer = cloud_light(eye.y, direction, air + shafts, kept, 1.0 / 384.0, dither);
    vec4 veil = veil_light(eye.y, direction, clear_sky_radiance(direction), length(fwidth(direction)));
    colour = vec4(exposed(layer.rgb + layer.a * (veil.rgb + shafts)).rgb, layer.a * veil.a);
}
