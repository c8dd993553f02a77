// Painted metal in the light of sun, sky and water: a diffuse colour under a coat of clear varnish.
#include "sky/radiance.glsl"
#include "common/noise.glsl"
#if DIVES
#include "surface/underwater.glsl"
#endif

const float VARNISH = 0.04;  // reflectance at normal incidence

// Exposed radiance of a point with a normal N that faces the eye; `pixel` is its position in the picture.
vec4 painted(vec3 relative, vec3 N, vec3 albedo, vec2 pixel) {
    vec3 to_eye = eye.xyz - relative, kept;
    float distance = length(to_eye);
    vec3 V = to_eye / distance, R = reflect(-V, N);
    vec3 sunlight_ = sun_irradiance() * sun_visibility(relative.xz), sun_light = sunlight_ * max(dot(N, sun.xyz), 0.0);
    // The lower hemisphere is the sky's reflection in the water, a tenth as bright as the sky.
    vec3 sky_light = sky_irradiance() * mix(0.1, 1.0, 0.5 + 0.5 * N.y);
    vec3 radiance = albedo / PI * (sun_light + sky_light);
    float mirrored_share = VARNISH + (1.0 - VARNISH) * pow(1.0 - clamp(dot(N, V), 0.0, 1.0), 5.0);
    vec3 mirrored_ = sky_radiance(R, 0.1).rgb * (R.y > 0.0 ? 1.0 : 0.1);
    float glint = pow(max(dot(R, sun.xyz), 0.0), 120.0) * 20.0;  // a lobe of solid angle 0.05
    radiance = mix(radiance, mirrored_, mirrored_share) + mirrored_share * glint * sunlight_ * step(0.0, dot(N, sun.xyz));
#if DIVES
    if (eye.w > 0.0) return exposed(object_in_water(radiance, -V, distance, eye.w));
#endif
    vec3 added = aerial(-V, distance, noise(pixel), kept);
    return exposed(kept * radiance + added);
}
