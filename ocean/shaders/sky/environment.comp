#version 430
// Computes the environment that the water reflects: the clear sky, with clouds if CLOUDY, or a PANORAMA, without the
// sun's disc [kcd/m²]; (a) is an aureole with a radiance of 1 at its centre.
#define CLOUDS_FROM carried
#include "sky/clear_sky.glsl"
#if PANORAMA
#include "sky/panorama.glsl"
#elif CLOUDY
#include "sky/veil.glsl"
#endif
#include "sky/environment.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = IMAGE_SKY) writeonly uniform image2DArray environment;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    float side = float(imageSize(environment).x);
    vec3 direction = normalize(environment_direction((vec2(texel) + 0.5) / side)), radiance;
#if PANORAMA
    radiance = panorama_radiance(direction, log2(max(float(textureSize(panorama_picture, 0).x) / (4.0 * side), 1.0)));
#else
    radiance = clear_sky_over_sea(direction);
#if CLOUDY
    vec4 veil = veil_light(0.0, direction, radiance, 2.0 / side);
    radiance = veil.rgb + veil.a * radiance;
    if (clouds.x < 1.0) {
        vec3 kept, glare, air = air_before_clouds(direction, 0.0, SKY_OF_SEA, kept, glare);
        vec4 layer = cloud_light(0.0, direction, layer_path(0.0, direction.y), air, kept, 1.0 / 17.0, 0.5);
        radiance = layer.rgb + layer.a * radiance;
    }
#endif
#endif
    imageStore(environment, ivec3(texel, 0), vec4(radiance, aureole(direction, sun_direction.xyz)));
}
