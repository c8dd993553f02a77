// Composition of the air, and straight paths through it. ocean/light/optics.py and tests/reference/atmosphere.py are
// the references.
//
// A vec4 has one value for each of four wavelengths; to_rgb converts to linear Rec. 709 with luminance in kcd/m².
#include "common/bindings.glsl"
#include "common/constants.glsl"

layout(std140, binding = BLOCK_SKY) uniform Sky {
    vec4 rayleigh;           // scattering coefficient of molecules at sea level [1/m]
    vec4 aerosol;            // extinction coefficient of the background aerosol at sea level [1/m]
    vec4 salt;               // extinction coefficient of sea salt at sea level [1/m]
    vec4 ozone;              // absorption coefficient at the centre of the ozone layer [1/m]
    vec4 solar;              // irradiance above the air [W/m²/nm]
    mat4 to_rgb;
    vec4 sun_direction;      // unit vector
    vec4 clouds;             // threshold of the field, height of the base [m], thickness [m], extinction inside [1/m]
    // Transmittance of clouds: direct sunlight, all sunlight, skylight; optical depth of the veil.
    vec4 deck;
    vec4 water_albedo;       // pi times water-leaving radiance divided by irradiance, RGB
    vec4 water_extinction;   // extinction of daylight in the water, RGB [1/m]
    vec4 water_scattering;   // scattering coefficient of water without the forward peak, RGB [1/m]
    vec4 water_molecules;    // scattering coefficient of pure sea water [1/m]
    vec4 water_particles;    // scattering coefficient of its particles, without the forward peak [1/m]
    vec4 water_attenuation;  // attenuation coefficient without the forward peak [1/m]
    vec4 water_beam;         // beam attenuation coefficient, forward peak included [1/m]
    vec4 water_fading;       // attenuation coefficient of daylight with depth [1/m]
    vec2 drift;              // position of the origin in the clouds' noise [m]
    vec2 carried;            // the drift at the last computation of cloud shadows and environment [m]
    float table_height;      // height of the eye for which the sky's tables are computed [m]
    float dip;               // elevation of the horizon from there, at most 0 [rad]
    float panorama;          // 1: the sky is a picture; 0: it is computed
    float turn;              // heading of the picture's middle column [turns]
    float gain;              // factor of exposure compensation
    float metering;          // 0: manual, 1: matrix, 2: automatic, 3: held
    float adaptation;        // fraction of the way to the new exposure in this frame
};

layout(binding = SAMPLER_TRANSMITTANCE) uniform sampler2D transmittance_table;

const float TOP = 100e3, VEIL_HEIGHT = 9e3;  // heights of the air and of the veil of ice [m]
const float AEROSOL_HEIGHT = 1200.0, SALT_HEIGHT = 500.0, AEROSOL_ALBEDO = 0.95, ASYMMETRY = 0.76, SEA_ALBEDO = 0.06;
const float FORWARD = 0.2;           // fraction of aerosol scattering in the forward peak
const float SUN_RADIUS = 0.0046530;  // rad
const vec3 NIGHT = vec3(2.3e-7, 2.2e-7, 2.6e-7);  // kcd/m²: airglow and starlight, about 22 mag/arcsec²

// Linear Rec. 709 of spectral values.
vec3 rgb(vec4 spectral) { return max((to_rgb * spectral).rgb, 0.0); }

// Density relative to sea level: the standard atmosphere's troposphere, and an exponential above it.
float molecular_density(float height) {
    const float TROPOPAUSE = 0.29707;
    return height < 11e3 ? pow(1.0 - height / 44331.0, 4.2559) : TROPOPAUSE * exp(-(height - 11e3) / 6700.0);
}

// Coefficients at a height [1/m]: scattering by molecules, scattering by aerosols (`drops`), and extinction without the
// aerosols' forward peak (delta scaling: Joseph, Wiscombe and Weinman 1976; Nakajima and Tanaka 1988).
void coefficients(float height, out vec4 molecules, out vec4 drops, out vec4 extinction) {
    float h = max(height, 0.0);
    molecules = rayleigh * molecular_density(h);
    vec4 a = aerosol * exp(-h / AEROSOL_HEIGHT), s = salt * exp(-h / SALT_HEIGHT);
    drops = AEROSOL_ALBEDO * a + s;
    extinction = molecules + a + s + ozone * max(0.0, 1.0 - abs(h - 25e3) / 15e3) - FORWARD * drops;
}

// Phase function of molecules [1/sr].
float rayleigh_phase(float cosine) { return 3.0 / (16.0 * PI) * (1.0 + cosine * cosine); }

// Phase function of aerosols [1/sr] (Cornette and Shanks 1992).
float aerosol_phase(float cosine) {
    const float g = ASYMMETRY;
    float straight = 1.0 + g * g - 2.0 * g * cosine;
    return 3.0 / (8.0 * PI) * (1.0 - g * g) * (1.0 + cosine * cosine) / ((2.0 + g * g) * straight * sqrt(straight));
}

// Height [m] at a distance `along` a ray with cosine mu to the zenith, in a form without cancellation of radii.
float height_along(float height, float mu, float along) {
    float r = EARTH_RADIUS + height, rise = along * (along + 2.0 * r * mu);
    return height + rise / (sqrt(r * r + rise) + r);
}

// Cosine to the zenith of the direction to the horizon.
float horizon_cosine(float height) {
    float h = max(height, 0.0);
    return -sqrt(h * (2.0 * EARTH_RADIUS + h)) / (EARTH_RADIUS + h);
}

// Distance [m] along a ray to a shell above it.
float to_shell(float height, float mu, float shell) {
    float a = (EARTH_RADIUS + height) * mu, b = (shell - height) * (2.0 * EARTH_RADIUS + shell + height);
    float root = sqrt(a * a + b);
    return a > 0.0 ? b / (root + a) : root - a;
}

// Distance [m] along a ray to its first hit of a shell below it; negative if it misses the shell.
float down_to_shell(float height, float mu, float shell) {
    float a = (EARTH_RADIUS + height) * mu, b = (height - shell) * (2.0 * EARTH_RADIUS + shell + height);
    float square = a * a - b;
    return a < 0.0 && b >= 0.0 && square >= 0.0 ? b / (sqrt(square) - a) : -1.0;
}

float to_top(float height, float mu) { return to_shell(height, mu, TOP); }

// Distance [m] to the sea, for rays that hit it.
float to_sea(float height, float mu) {
    float a = -(EARTH_RADIUS + height) * mu, b = height * (2.0 * EARTH_RADIUS + height);
    return b / max(a + sqrt(max(a * a - b, 0.0)), 1.0);
}

// Texture coordinates of a table whose first and last texels stand for 0 and 1.
vec2 inset(vec2 unit, vec2 size) { return (0.5 + clamp(unit, 0.0, 1.0) * (size - 1.0)) / size; }

// Delta-scaled transmittance to the top of the air, for rays that miss the sea. The table has Bruneton's (2017)
// coordinates.
vec4 transmittance(float height, float mu) {
    float h = clamp(height, 0.0, TOP);
    float reach = sqrt(TOP * (2.0 * EARTH_RADIUS + TOP)), rho = sqrt(h * (2.0 * EARTH_RADIUS + h));
    float nearest = TOP - h, u = (to_top(h, mu) - nearest) / max(rho + reach - nearest, 1.0);
    return textureLod(transmittance_table, inset(vec2(u, rho / reach), vec2(textureSize(transmittance_table, 0))), 0.0);
}

// Delta-scaled transmittance of sunlight to a height, times the fraction of the disc above the horizon.
vec4 sunlight(float height, float mu_sun) {
    float mu_horizon = horizon_cosine(height), edge = SUN_RADIUS * sqrt(1.0 - mu_horizon * mu_horizon);
    return smoothstep(-edge, edge, mu_sun - mu_horizon) * transmittance(height, max(mu_sun, mu_horizon));
}

// Transmittance of the aerosols' forward peak along a ray to the top of the air. `transmittance` leaves it out; the
// image of the sun's disc needs both factors.
vec4 unscattered(float height, float mu) {
    const int STEPS = 64;
    mu = max(mu, horizon_cosine(height));
    float d = to_top(height, mu);
    vec4 depth = vec4(0.0), molecules, drops, extinction;
    for (int i = 0; i < STEPS; ++i) {
        float s = (float(i) + 0.5) / float(STEPS);
        coefficients(height_along(height, mu, d * s * s), molecules, drops, extinction);
        depth += drops * 2.0 * s / float(STEPS);
    }
    return exp(-FORWARD * depth * d);
}
