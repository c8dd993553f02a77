// Light under water: absorption and scattering on the way to the eye, and the surface seen from below.
// tests/reference/water.py is the reference in float64 and names the sources.
#include "sky/radiance.glsl"
#include "surface/reflection.glsl"
#include "surface/crest.glsl"

const float SKY_ENTERS = 1.11;       // scalar irradiance under level water divided by the sky's irradiance above it
const float FOAM_TRANSMITS = 0.25;   // fraction of irradiance that foam transmits
const float PLUME_DEPTH = 1.0;        // m: depth of the bubbles below foam
const float PLUME_SCATTERING = 1.25;   // their scattering coefficient [1/m], without the forward peak
const float PLUME_TRANSMITS = 0.5;     // fraction of irradiance that thick plumes send on
const float FAR = 1e4;               // m: distance beyond which the water is opaque

// RGB transmission of daylight from its transmission at four wavelengths.
vec3 of_daylight(vec4 share) { return rgb(solar * share) / rgb(solar); }

// Volume scattering function [1/m/sr] at an angle with this cosine: pure sea water (Morel 1974) and its particles.
vec4 volume_scattering(float cosine) {
    return water_molecules * (0.06225 * (1.0 + 0.835 * cosine * cosine)) + water_particles * water_phase(cosine);
}

// Radiance that the water scatters into a ray of `distance` metres, seen in a direction from `depth` metres below the
// surface: the integral of single scattering, with daylight that fades exponentially with depth.
vec3 in_scattered(vec3 direction, float distance, float depth) {
    vec4 x = (water_attenuation - water_fading * direction.y) * distance;
    vec4 mean_kept = mix((1.0 - exp(-x)) / x, 1.0 - 0.5 * x, lessThan(abs(x), vec4(1e-3)));
    vec4 share = exp(-water_fading * depth) * distance * mean_kept;
    float up = max(sun.y, 0.0);
    vec3 below = normalize(vec3(sun.x, sqrt(INDEX * INDEX - 1.0 + up * up), sun.z));  // towards the sun, refracted
    // The clouds' shadow at the eye stands for all visible water.
    vec3 sunlight_ = sun_irradiance() * sun_visibility(vec2(0.0)) * (1.0 - fresnel(up, 1.0 / INDEX)) * up / below.y;
    return sunlight_ * of_daylight(share * volume_scattering(dot(below, direction)))
        + sky_irradiance() * SKY_ENTERS * of_daylight(share * volume_scattering(direction.y));
}

// Radiance after `distance` metres of water: attenuated, plus the light that the water scatters into the ray.
vec3 through_water(vec3 radiance, vec3 direction, float distance, float depth) {
    return radiance * of_daylight(exp(-water_attenuation * distance)) + in_scattered(direction, distance, depth);
}

// Radiance of the water in a direction, out to infinity, or upwards to the level surface.
vec3 open_water(vec3 direction, float depth) {
    return in_scattered(direction, direction.y > 0.0 ? min(depth / direction.y, FAR) : FAR, depth);
}

// Radiance of a small object after `distance` metres of water. Light scattered by small angles leaves the object's
// image, so its contrast to the water behind it fades by the beam attenuation (Duntley 1963).
vec3 object_in_water(vec3 radiance, vec3 direction, float distance, float depth) {
    vec3 behind = open_water(direction, max(depth - distance * direction.y, 0.0));
    return max(open_water(direction, depth) + of_daylight(exp(-water_beam * distance)) * (radiance - behind), 0.0);
}

// Sunlight refracted into the water by facets around N with this slope variance along each axis: radiance towards V
// divided by the sun's irradiance on a surface that faces it [1/sr] (Walter et al. 2007, equation 21).
float sun_refraction(vec3 N, vec3 V, float variance) {
    vec3 H = -normalize(sun.xyz + INDEX * V);
    float cosine_h = dot(H, N), in_ = dot(sun.xyz, H), out_ = dot(V, H), slant = max(-dot(V, N), 0.05);
    if (cosine_h <= 0.0 || in_ <= 0.0 || out_ >= 0.0) return 0.0;
    float h2 = cosine_h * cosine_h;
    float density = exp(-0.5 * (1.0 / h2 - 1.0) / variance) / (2.0 * PI * variance * h2 * h2);
    float sum = in_ + INDEX * out_;
    float transmittance_ = 1.0 - fresnel(in_, 1.0 / INDEX);
    return transmittance_ * density * in_ * -out_ * INDEX * INDEX / (slant * sum * sum);
}

// Radiance towards V of the surface seen from below, with mean normal N (upwards) and this slope variance. Inside
// Snell's window it is the sky's radiance times INDEX², outside the mirror image of the water. It is the mean of nine
// facets (Gauss-Hermite quadrature). The sky is read once for each row of facets. The water is smoother and is read
// once for all facets, with an error of at most a fifth in the roughest pixels. `sunlight_` is the sun's irradiance at this point.
vec3 surface_from_below(vec3 N, vec3 V, float variance, vec3 sunlight_) {
    float sigma = sqrt(0.5 * variance);  // along one axis
    vec3 T = normalize(cross(N, vec3(0.0, 0.0, 1.0))), B = cross(N, T), sum = vec3(0.0), down = vec3(0.0);
    float mirrors = 0.0;
    for (int row = -1; row <= 1; ++row) {
        vec3 up = vec3(0.0);
        float enters = 0.0;
        for (int column = -1; column <= 1; ++column) {
            float weight = (row == 0 ? 4.0 : 1.0) * (column == 0 ? 4.0 : 1.0) / 36.0;
            vec3 n = normalize(N + sqrt(3.0) * sigma * (float(row) * T + float(column) * B));
            float cosine = max(-dot(V, n), 0.0), reflected = weight * fresnel(cosine, INDEX);
            vec3 mirrored = reflect(-V, n);
            down += reflected * vec3(mirrored.x, -abs(mirrored.y), mirrored.z);
            mirrors += reflected;
            up += (weight - reflected) * refract(-V, -n, INDEX);  // 0 beyond the critical angle
            enters += weight - reflected;
        }
        if (dot(up, up) > 0.0) sum += enters * INDEX * INDEX * sky_radiance(normalize(up), sigma).rgb;
    }
    sum += mirrors * open_water(normalize(down), 0.0);
    return sum + sun_refraction(N, V, 0.5 * variance + 2e-4) * sunlight_;
}

// Radiance of foam seen from below, a diffuse transmitter.
vec3 foam_from_below(vec3 sunlight_) {
    return FOAM_TRANSMITS / PI * (sunlight_ * max(sun.y, 0.0) + sky_irradiance());
}

// Radiance of the surface towards V, through the plume of bubbles below it, which fills a fraction `bubbles` of the water.
vec3 through_bubbles(vec3 radiance, float bubbles, vec3 V, float distance, vec3 sunlight_) {
    float way = min(PLUME_DEPTH / max(-V.y, 0.05), distance);
    vec3 white = PLUME_TRANSMITS / PI * (sunlight_ * max(sun.y, 0.0) + sky_irradiance());
    return mix(white, radiance, exp(-PLUME_SCATTERING * bubbles * way));
}
