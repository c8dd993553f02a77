// Light that leaves the sea: sky and sun reflected by facets whose slopes are Gaussian, light from the water below.
//
// What a pixel's footprint averages away of the waves comes back as the slope variance of the facets (Bruneton, Neyret
// and Holzschuch 2010, "Real-time realistic ocean lighting using seamless transitions from geometry to BRDF").
#include "sky/radiance.glsl"

layout(binding = SAMPLER_SLOPES) uniform sampler2D slopes;  // slope variance beyond a wave number, over log10 k

const float F0 = 0.02;                                // reflectance of water at normal incidence
const vec3 WATER_ALBEDO = vec3(0.005, 0.030, 0.046);  // of deep clear water, seen from above
const vec3 CREST_COLOUR = vec3(0.02, 0.30, 0.26);     // what a metre of it leaves of white light
const float FOAM_ALBEDO = 0.75;
const float SLOPES_LOW = -3.0, SLOPES_HIGH = 3.0;     // log10 of the table's wave numbers [rad/m]

// Variance of the slopes of waves shorter than a footprint [m] shows.
float unresolved_slopes(float footprint) {
    float cutoff = min(PI / max(footprint, 1e-4), grid_cutoff);
    float u = (log(cutoff) / log(10.0) - SLOPES_LOW) / (SLOPES_HIGH - SLOPES_LOW), samples = float(textureSize(slopes, 0).x);
    return textureLod(slopes, vec2((u * (samples - 1.0) + 0.5) / samples, 0.5), 0.0).r;
}

// Fresnel reflectance averaged over facets (Bruneton et al. 2010, section 4.2).
float mean_fresnel(float cosine, float sigma) {
    return F0 + (1.0 - F0) * pow(1.0 - cosine, 5.0 * exp(-2.69 * sigma)) / (1.0 + 22.7 * pow(sigma, 1.5));
}

// Smith's shadowing for Gaussian slopes (as in Bruneton et al. 2010).
float smith(float cosine, float variance) {
    float v = cosine / sqrt(max(1e-6, (1.0 - cosine * cosine) * 2.0 * variance));
    return v < 1.6 ? (1.0 - 1.259 * v + 0.396 * v * v) / (3.535 * v + 2.181 * v * v) : 0.0;
}

// Radiance of the sun's reflection towards V, by facets around N with this slope variance along each axis.
vec3 sun_reflection(vec3 N, vec3 V, float variance, vec3 sunlight_) {
    vec3 H = normalize(sun.xyz + V);
    float cosine_h = dot(H, N), cosine_l = dot(sun.xyz, N), cosine_v = max(dot(V, N), 0.05);
    if (cosine_h <= 0.0 || cosine_l <= 0.0) return vec3(0.0);
    float slope2 = 1.0 / (cosine_h * cosine_h) - 1.0;
    float density = exp(-0.5 * slope2 / variance) / (2.0 * PI * variance);
    float fresnel = F0 + (1.0 - F0) * pow(1.0 - max(dot(V, H), 0.0), 5.0);
    float shadowed = 1.0 + smith(cosine_l, variance) + smith(cosine_v, variance);
    float h2 = cosine_h * cosine_h;
    return sunlight_ * fresnel * density / (4.0 * shadowed * cosine_v * h2 * h2);
}

// Radiance towards the eye of water with mean normal N at a point V looks from, `crest` its height in standard deviations,
// `sunlight_` the irradiance of the sun that reaches it.
vec3 water_radiance(vec3 N, vec3 V, float variance, float crest, vec3 sunlight_) {
    float sigma = sqrt(0.5 * variance);  // along one axis
    float cosine = clamp(dot(V, N), 0.0, 1.0);
    float reflectance = mean_fresnel(cosine, sigma);

    vec3 R = reflect(-V, N);
    R.y = abs(R.y) + 0.6 * sigma;  // rough facets reflect higher sky
    vec3 reflected = sky_radiance(normalize(R), 2.0 * sigma * cosine);

    vec3 upwelling = WATER_ALBEDO / PI * (sunlight_ * max(sun.y, 0.0) + sky_irradiance());
    // Crests between the eye and the sun let its light through.
    float against = pow(max(dot(-V, normalize(sun.xyz - vec3(0.0, 0.5 * sun.y, 0.0))), 0.0), 3.0);
    float thickness = smoothstep(0.2, 3.0, crest) * (0.3 + 0.7 * (1.0 - cosine));
    vec3 through = CREST_COLOUR * 0.14 * sunlight_ * against * thickness;

    return reflectance * reflected + sun_reflection(N, V, 0.5 * variance + 2e-4, sunlight_) + (1.0 - reflectance) * (upwelling + through);
}

// Radiance of foam, which scatters evenly.
vec3 foam_radiance(vec3 N, vec3 sunlight_) {
    return FOAM_ALBEDO / PI * (sunlight_ * max(dot(N, sun.xyz), 0.0) + sky_irradiance());
}
