// Radiance behind the sea: the sky, computed or from a PANORAMA, with the sun's disc; from under water, the open water.
// `point` is a position in a picture of this size [pixels].
#include "sky/radiance.glsl"
#include "sky/view_ray.glsl"
#if PANORAMA
#include "sky/panorama.glsl"
#endif
#if DIVES
#include "surface/underwater.glsl"
#endif

// Radiance of the sun's disc through clear air, or of the sun of a PANORAMA, antialiased at its edge [kcd/m²].
vec3 sun_disc(vec3 direction, vec2 point, vec2 size) {
    float off = length(cross(direction, sun.xyz)), edge = sqrt(1.0 - sun.w * sun.w);  // sines of angles from the centre
    if (dot(direction, sun.xyz) <= 0.0 || off > 4.0 * edge + 0.05) return vec3(0.0);
    float beside = length(cross(normalize(view_ray(point + vec2(1.0, 0.0), size)), sun.xyz));
    float above = length(cross(normalize(view_ray(point + vec2(0.0, 1.0), size)), sun.xyz));
    float disc = clamp(0.5 + (edge - off) / max(abs(beside - off) + abs(above - off), 1e-6), 0.0, 1.0);
    if (disc <= 0.0) return vec3(0.0);
#if PANORAMA
    vec3 irradiance = sun_irradiance();
#else
    float mu = max(direction.y, horizon_cosine(table_height));  // the sea hides the part below the horizon
    vec3 irradiance = rgb(solar * transmittance(table_height, mu) * unscattered(table_height, mu));
#endif
    return disc / (2.0 * PI * (1.0 - sun.w)) * irradiance;
}

// Exposed radiance, with the sun's DISC or without.
vec3 behind(vec2 point, vec2 size) {
    vec3 direction = normalize(view_ray(point, size));
#if DIVES
    if (eye.w > 0.0) return exposed(open_water(direction, eye.w)).rgb;
#endif
#if PANORAMA
    vec3 sky = panorama_radiance(direction, 0.0);
#else
    vec3 sky = clear_sky_radiance(direction);
#endif
#if DISC
    sky += sun_disc(direction, point, size);
#endif
    return exposed(sky).rgb;
}
