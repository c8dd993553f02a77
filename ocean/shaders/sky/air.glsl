// What the air holds, and straight paths through it. ocean/light/air.py and atmosphere.py say the same.
//
// A vec4 is one value for each of four wavelengths; to_rgb makes linear Rec. 709 of them, luminance in kcd/m².
#include "common/bindings.glsl"
#include "common/constants.glsl"

layout(std140, binding = BLOCK_SKY) uniform Sky {
    vec4 rayleigh;       // scattering by molecules at sea level [1/m]
    vec4 aerosol;        // extinction by the aerosol of the whole column at sea level [1/m]
    vec4 salt;           // extinction by sea salt at sea level [1/m]
    vec4 ozone;          // absorption at the middle of the ozone layer [1/m]
    vec4 solar;          // irradiance above the air [W/m²/nm]
    mat4 to_rgb;
    vec4 sun_direction;  // unit vector
    vec4 clouds;         // threshold of the field, height of the base [m], thickness [m], extinction inside [1/m]
    vec4 deck;           // shares that clouds pass: of the sun's light straight on, and in all; of the sky's; the veil's depth
    vec4 water_albedo;      // of the light that comes back out of the water, RGB
    vec4 water_extinction;  // of daylight in the water, RGB [1/m]
    vec4 water_scattering;  // what water scatters, but for what goes on almost straight, RGB [1/m]
    vec4 water_molecules;   // at four wavelengths, what water itself scatters [1/m]
    vec4 water_particles;   // and its particles, but for what goes on almost straight
    vec4 water_attenuation; // what a ray loses, but for that; and
    vec4 water_beam;        // with it
    vec4 water_fading;      // of daylight with depth
    vec2 drift;          // where the origin lies in the clouds' noise [m]
    vec2 carried;        // and where it lay when their shadows and their mirror image were made
    float table_height;  // of the eye, for which the tables of the sky are made [m]
    float dip;           // elevation of the horizon from there, not above 0 [rad]
    float panorama;      // 1: a picture is the sky; 0: air is
    float turn;          // heading of the picture's middle column, in turns
    float gain;          // exposure's factor: stops
    float metering;      // 0: manual, 1: matrix, 2: automatic, 3: held as it is
    float adaptation;    // share of the way to a new exposure that this frame goes
};

layout(binding = SAMPLER_TRANSMITTANCE) uniform sampler2D transmittance_table;

const float TOP = 100e3, VEIL_HEIGHT = 9e3;  // heights of the air and of the veil of ice [m]
const float AEROSOL_HEIGHT = 1200.0, SALT_HEIGHT = 500.0, AEROSOL_ALBEDO = 0.95, ASYMMETRY = 0.76, SEA_ALBEDO = 0.06;
const float FORWARD = 0.2; // of aerosols' scattering that counts as going on straight
const float SUN_RADIUS = 0.0046530; // rad
const vec3 NIGHT = vec3(2.3e-7, 2.2e-7, 2.6e-7);  // kcd/m²: airglow and the light of all stars, about 22 mag/arcsec²

vec3 rgb(vec4 spectral) { return max((to_rgb * spectral).rgb, 0.0); }

// Density over that at sea level: the troposphere of the standard atmosphere, and one scale height above it.
float molecular_density(float height) {
    const float TROPOPAUSE = 0.29707;
    return height < 11e3 ? pow(1.0 - height / 44331.0, 4.2559) : TROPOPAUSE * exp(-(height - 11e3) / 6700.0);
}

// Scattering by molecules and by aerosols at a height, and extinction [1/m] without what aerosols scatter straight on
// (delta scaling: Joseph, Wiscombe and Weinman 1976; Nakajima and Tanaka 1988).
void coefficients(float height, out vec4 molecules, out vec4 drops, out vec4 extinction) {
    float h = max(height, 0.0);
    molecules = rayleigh * molecular_density(h);
    vec4 a = aerosol * exp(-h / AEROSOL_HEIGHT), s = salt * exp(-h / SALT_HEIGHT);
    drops = AEROSOL_ALBEDO * a + s;
    extinction = molecules + a + s + ozone * max(0.0, 1.0 - abs(h - 25e3) / 15e3) - FORWARD * drops;
}

float rayleigh_phase(float cosine) { return 3.0 / (16.0 * PI) * (1.0 + cosine * cosine); }

// Cornette and Shanks 1992.
float aerosol_phase(float cosine) {
    const float g = ASYMMETRY;
    float straight = 1.0 + g * g - 2.0 * g * cosine;
    return 3.0 / (8.0 * PI) * (1.0 - g * g) * (1.0 + cosine * cosine) / ((2.0 + g * g) * straight * sqrt(straight));
}

// Height at a distance along a ray with cosine mu to the zenith, without the cancellation of two radii.
float height_along(float height, float mu, float along) {
    float r = EARTH_RADIUS + height, rise = along * (along + 2.0 * r * mu);
    return height + rise / (sqrt(r * r + rise) + r);
}

// Cosine to the zenith of the direction that touches the sea.
float horizon_cosine(float height) {
    float h = max(height, 0.0);
    return -sqrt(h * (2.0 * EARTH_RADIUS + h)) / (EARTH_RADIUS + h);
}

// Distance to a height from below.
float to_shell(float height, float mu, float shell) {
    float a = (EARTH_RADIUS + height) * mu, b = (shell - height) * (2.0 * EARTH_RADIUS + shell + height), root = sqrt(a * a + b);
    return a > 0.0 ? b / (root + a) : root - a;
}

// Distance to a height from above, on the way down; negative if a ray never comes there.
float down_to_shell(float height, float mu, float shell) {
    float a = (EARTH_RADIUS + height) * mu, b = (height - shell) * (2.0 * EARTH_RADIUS + shell + height), square = a * a - b;
    return a < 0.0 && b >= 0.0 && square >= 0.0 ? b / (sqrt(square) - a) : -1.0;
}

float to_top(float height, float mu) { return to_shell(height, mu, TOP); }

float to_sea(float height, float mu) {
    float a = -(EARTH_RADIUS + height) * mu, b = height * (2.0 * EARTH_RADIUS + height);
    return b / max(a + sqrt(max(a * a - b, 0.0)), 1.0);
}

// Texture coordinates of values whose first and last texel stand for 0 and 1.
vec2 inset(vec2 unit, vec2 size) { return (0.5 + clamp(unit, 0.0, 1.0) * (size - 1.0)) / size; }

// Transmittance to the air's end, delta-scaled, for rays that miss the sea (Bruneton 2017's coordinates).
vec4 transmittance(float height, float mu) {
    float h = clamp(height, 0.0, TOP), reach = sqrt(TOP * (2.0 * EARTH_RADIUS + TOP)), rho = sqrt(h * (2.0 * EARTH_RADIUS + h));
    float nearest = TOP - h, u = (to_top(h, mu) - nearest) / max(rho + reach - nearest, 1.0);
    return textureLod(transmittance_table, inset(vec2(u, rho / reach), vec2(textureSize(transmittance_table, 0))), 0.0);
}

// Share of the sun's light at a height: none of the part of the disc that the horizon hides.
vec4 sunlight(float height, float mu_sun) {
    float mu_horizon = horizon_cosine(height), edge = SUN_RADIUS * sqrt(1.0 - mu_horizon * mu_horizon);
    return smoothstep(-edge, edge, mu_sun - mu_horizon) * transmittance(height, max(mu_sun, mu_horizon));
}

// Share that aerosols leave of what `transmittance` counts as coming straight, where all that they scatter is lost: what
// is seen of the sun itself.
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
