#version 430
// The sky behind the sea, without the sun: clear air or a PANORAMA.
#include "sky/radiance.glsl"
#if PANORAMA
#include "sky/panorama.glsl"
#endif

in vec2 uv;
out vec4 colour;

void main() {
    vec4 ray = clip_to_ray * vec4(2.0 * uv - 1.0, 1.0, 1.0);
    vec3 direction = normalize(ray.xyz);
#if PANORAMA
    colour = exposed(panorama_radiance(direction, 0.0));
#else
    colour = exposed(clear_sky_radiance(direction));
#endif
}
