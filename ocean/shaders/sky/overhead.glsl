// Clouds and veil along a ray of sight: what they add, and the share of what is behind that they leave (a). With OVER_ALL for an
// eye just below the clouds, among or above them: there they stand before the sea as well, and the air before them is marched.
#include "sky/radiance.glsl"
#include "sky/veil.glsl"
#include "common/noise.glsl"
#include "sky/sight.glsl"
#if OVER_ALL
#include "sky/march.glsl"
#endif

vec4 overhead(vec2 point, vec2 size) {
    vec3 ray = sight(point, size), direction = normalize(ray), kept, glare, air;
    float dither = noise(point), wide = length(sight(point + 1.0, size) - ray) / length(ray);
    vec2 way = way_through(eye.y, direction.y);
#if OVER_ALL
    if (way.y <= way.x) way.x = 0.0;
    float nu = dot(direction, sun_direction.xyz);
    march(eye.y, direction.y, nu, way.x, way.x > 0.0 ? 12 : 0, light.below, air, glare, kept);
    glare *= aerosol_phase(nu);
    air += glare;
#else
    air = air_before_clouds(direction, dip, SKY_OF_EYE, kept, glare);
#endif
    vec3 shafts = (sunlit_air(direction, max(way.x, 1.0), 48, dither) - 1.0) * glare;
    vec4 layer = cloud_light(eye.y, direction, way, air + shafts, kept, 1.0 / 600.0, dither);
    vec4 veil = veil_light(eye.y, direction, clear_sky_radiance(direction), wide);
    return vec4(exposed(layer.rgb + layer.a * (veil.rgb + shafts)).rgb, layer.a * veil.a);
}
