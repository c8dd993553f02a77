// Exposed radiance of clouds and veil along the ray of a point of their map, and (a) their transmittance. With
// OVER_ALL the eye is just below the clouds, among or above them: then clouds stand before the sea too, and the air
// before them is marched, because the tables have only heights in steps.
#include "sky/radiance.glsl"
#include "sky/veil.glsl"
#include "common/noise.glsl"
#include "sky/cloud_map.glsl"
#if OVER_ALL
#include "sky/march.glsl"
#endif

vec4 clouds_and_veil(vec2 point) {
    vec3 ray = ray_of(point), direction = normalize(ray), kept, glare, air;
    float dither = noise(point), wide = length(ray_of(point + 1.0) - ray) / length(ray);
    vec2 path = layer_path(eye.y, direction.y);
#if OVER_ALL
    if (path.y <= path.x) path.x = 0.0;
    float nu = dot(direction, sun_direction.xyz);
    march(eye.y, direction.y, nu, path.x, path.x > 0.0 ? 12 : 0, light.below, air, glare, kept);
    glare *= aerosol_phase(nu);
    air += glare;
#else
    if (direction.y < horizon_cosine(eye.y)) return vec4(0.0, 0.0, 0.0, 1.0);  // the sea is nearer
    air = air_before_clouds(direction, dip, SKY_OF_EYE, kept, glare);
#endif
    vec3 shafts = (sunlit_air(direction, max(path.x, 1.0), 48, dither) - 1.0) * glare;
    vec4 layer = cloud_light(eye.y, direction, path, air + shafts, kept, 1.0 / 600.0, dither);
    vec4 veil = veil_light(eye.y, direction, clear_sky_radiance(direction), wide);
    return vec4(exposed(layer.rgb + layer.a * (veil.rgb + shafts)).rgb, layer.a * veil.a);
}
