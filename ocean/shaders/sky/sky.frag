#version 430
// The sky behind the sea: clear air or a PANORAMA, and the sun's disc.
#include "sky/radiance.glsl"
#if PANORAMA
#include "sky/panorama.glsl"
#endif

in vec2 uv;
out vec4 colour;

void main() {
    vec4 ray = clip_to_ray * vec4(2.0 * uv - 1.0, 1.0, 1.0);
    vec3 direction = normalize(ray.xyz);
    float solid_angle = 2.0 * PI * (1.0 - sun.w);
    float off = length(cross(direction, sun.xyz)), edge = sqrt(1.0 - sun.w * sun.w);  // sines of angles from the middle
    float disc = clamp(0.5 + (edge - off) / max(fwidth(off), 1e-6), 0.0, 1.0);
    bool is_sun = disc > 0.0 && dot(direction, sun.xyz) > 0.0;
#if PANORAMA
    vec3 radiance = panorama_radiance(direction, 0.0);
    if (is_sun) radiance += disc / solid_angle * sun_irradiance();
#else
    vec3 radiance = clear_sky_radiance(direction);
    if (is_sun) {
        float mu = max(direction.y, horizon_cosine(table_height));  // what of it is behind the horizon, the sea hides
        radiance += disc / solid_angle * rgb(solar * transmittance(table_height, mu) * unscattered(table_height, mu));
    }
#endif
    colour = exposed(radiance);
}
