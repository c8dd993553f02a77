// Moments of scattered light in the air, and its further scattering. tests/reference/atmosphere.py is the reference.
#include "sky/air.glsl"

layout(binding = SAMPLER_MULTIPLE) uniform sampler2DArray multiple_table;

// Mean cosine of scattering by aerosols, and the mean of Legendre's second polynomial of that cosine.
const float AEROSOL_COSINE = 1.5 * ASYMMETRY * (1.6 + 0.4 * ASYMMETRY * ASYMMETRY) / (2.0 + ASYMMETRY * ASYMMETRY);
const float AEROSOL_SECOND = 1.5 * (2.0 / 15.0 + ASYMMETRY * ASYMMETRY * (32.0 / 21.0 + 12.0 / 35.0 * ASYMMETRY * ASYMMETRY))
    / (2.0 + ASYMMETRY * ASYMMETRY);
// Spacing of the table in the sine of the sun's elevation: the first sine, and the scale of the asinh.
const float MULTIPLE_LOW = -0.25, MULTIPLE_FINE = 0.06;

// Radiance that a metre of air scatters into a direction [1/m], from moments of the incoming light: its mean over all
// directions, and its means times Legendre's first and second polynomials of the cosine to that direction.
vec4 scattered_towards(vec4 molecules, vec4 drops, vec4 mean, vec4 first, vec4 second) {
    vec4 tilted = 3.0 * (AEROSOL_COSINE - FORWARD) * drops * first;
    vec4 curved = 5.0 * (0.1 * molecules + (AEROSOL_SECOND - FORWARD) * drops) * second;
    return (molecules + (1.0 - FORWARD) * drops) * mean + tilted + curved;
}

// A moment of scattered light divided by the sun's irradiance [1/sr]. The layers are the means over all directions of
// the radiance, and of the radiance times x, z, x², z² and xz; z is up and x towards the sun.
vec4 scattered_moment(int layer, float height, float mu_sun) {
    float low = asinh(MULTIPLE_LOW / MULTIPLE_FINE), high = asinh(1.0 / MULTIPLE_FINE);
    vec2 unit = vec2((asinh(mu_sun / MULTIPLE_FINE) - low) / (high - low), sqrt(clamp(height / TOP, 0.0, 1.0)));
    return textureLod(multiple_table, vec3(inset(unit, vec2(textureSize(multiple_table, 0).xy)), layer), 0.0);
}
vec4 multiple(float height, float mu_sun) { return scattered_moment(0, height, mu_sun); }

// Radiance that a metre of air scatters of the scattered light [1/m]. mu and mu_sun are the cosines of ray and sun to
// the zenith, nu is the cosine between ray and sun.
vec4 rescattered(float height, float mu, float mu_sun, float nu, vec4 molecules, vec4 drops) {
    float x = clamp((nu - mu * mu_sun) * inversesqrt(max(1.0 - mu_sun * mu_sun, 1e-6)), -1.0, 1.0), z = mu;
    vec4 mean = multiple(height, mu_sun), xx = scattered_moment(3, height, mu_sun), zz = scattered_moment(4, height, mu_sun);
    vec4 first = x * scattered_moment(1, height, mu_sun) + z * scattered_moment(2, height, mu_sun);
    vec4 square = x * x * xx + z * z * zz + max(1.0 - x * x - z * z, 0.0) * (mean - xx - zz)
        + 2.0 * x * z * scattered_moment(5, height, mu_sun);
    return scattered_towards(molecules, drops, mean, first, 1.5 * square - 0.5 * mean);
}
