// Exposed radiance of clouds and veil along the view ray of a point of the picture, and (a) their transmittance. With
// OVER_ALL the eye is just below the clouds, among or above them: then clouds stand before the sea too, and the air
// before them is marched, because the tables have only heights in steps.
#include "sky/radiance.glsl"
#include "sky/veil.glsl"
#include "common/noise.glsl"
#include "sky/view_ray.glsl"
#if OVER_ALL
#include "sky/march.glsl"
#endif

vec4 clouds_and_veil(vec2 point, vec2 size) {
    vec3 ray = view_ray(point, size), direction = normalize(ray), kept, glare, air;
    float dither = noise(point), wide = length(view_ray(point + 1.0, size) - ray) / length(ray);
    vec2 path = layer_path(eye.y, direction.y);
#if OVER_ALL
    if (path.y <= path.x) path.x = 0.0;
    float nu = dot(direction, sun_direction.xyz);
    march(eye.y, direction.y, nu, path.x, path.x > 0.0 ? 12 : 0, light.below, air, glare, kept);
    glare *= aerosol_phase(nu);
    air += glare;
#else
    air = air_before_clouds(direction, dip, SKY_OF_EYE, kept, glare);
#endif
    vec3 shafts = (sunlit_air(direction, max(path.x, 1.0), 48, dither) - 1.0) * glare;
    vec4 layer = cloud_light(eye.y, direction, path, air + shafts, kept, 1.0 / 600.0, dither);
    vec4 veil = veil_light(eye.y, direction, clear_sky_radiance(direction), wide);
    return vec4(exposed(layer.rgb + layer.a * (veil.rgb + shafts)).rgb, layer.a * veil.a);
}
