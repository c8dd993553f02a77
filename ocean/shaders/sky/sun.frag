#version 430
// What the sun's disc adds to the sky: what clear air, or that of a PANORAMA, leaves of its light.
#include "sky/radiance.glsl"

in vec3 ray;
out vec4 colour;

void main() {
    vec3 direction = normalize(ray);
    float solid_angle = 2.0 * PI * (1.0 - sun.w);
    float off = length(cross(direction, sun.xyz)), edge = sqrt(1.0 - sun.w * sun.w);  // sines of angles from the middle
    float disc = clamp(0.5 + (edge - off) / max(fwidth(off), 1e-6), 0.0, 1.0);
    vec3 irradiance = vec3(0.0);
    if (disc > 0.0) {
#if PANORAMA
        irradiance = sun_irradiance();
#else
        float mu = max(direction.y, horizon_cosine(table_height));  // what of it is behind the horizon, the sea hides
        irradiance = rgb(solar * transmittance(table_height, mu) * unscattered(table_height, mu));
#endif
    }
    colour = exposed(disc / solid_angle * irradiance);
}
