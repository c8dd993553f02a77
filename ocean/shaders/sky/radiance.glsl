// A clear sky in closed form: single scattering by air and haze in a plane-parallel atmosphere, lit by the attenuated
// sun. Radiance is relative to a sun whose irradiance above the air is SUN_IRRADIANCE.
#include "common/view.glsl"

const float SUN_IRRADIANCE = 7.0;
// Optical depths of a vertical path: Rayleigh at 680, 550 and 440 nm (8 km scale height), and haze.
const vec3 RAYLEIGH_DEPTH = vec3(0.046, 0.108, 0.265);
const float HAZE_DEPTH = 0.035;
const float HAZE_ASYMMETRY = 0.72;

// Air mass along a ray whose direction has this sine of elevation: 1 upwards, 38 at the horizon (Kasten and Young 1989).
float air_mass(float sine) {
    float elevation = degrees(asin(clamp(sine, -1.0, 1.0)));
    return 1.0 / (max(sine, 0.0) + 0.50572 * pow(max(elevation, -4.0) + 6.07995, -1.6364));
}

vec3 optical_depth() {
    return RAYLEIGH_DEPTH + haze * HAZE_DEPTH;
}

// What is left of the sun's light at the water, per channel. Below the horizon the light comes from high air only.
vec3 sun_transmittance() {
    float dusk = exp(-60.0 * max(0.0, -sun.y));
    return dusk * exp(-optical_depth() * air_mass(sun.y));
}

vec3 sun_irradiance() {
    return SUN_IRRADIANCE * sun_transmittance() * smoothstep(-0.01, 0.02, sun.y);
}

float rayleigh_phase(float cosine) {
    return 3.0 / (16.0 * PI) * (1.0 + cosine * cosine);
}

// Henyey and Greenstein 1941.
float haze_phase(float cosine) {
    float g = HAZE_ASYMMETRY;
    return (1.0 - g * g) / (4.0 * PI * pow(1.0 + g * g - 2.0 * g * cosine, 1.5));
}

// Radiance of the sky without the sun's disc, in a direction (unit vector); below the horizon that of the horizon.
vec3 sky_radiance(vec3 direction) {
    float up = max(direction.y, 0.0);
    vec3 depth = optical_depth();
    float cosine = dot(direction, sun.xyz);
    vec3 scattered = (RAYLEIGH_DEPTH * rayleigh_phase(cosine) + haze * HAZE_DEPTH * haze_phase(cosine)) / depth;
    // Light that reaches the scattering air has crossed about as much air as lies above half the view's depth.
    vec3 reaching = exp(-depth * air_mass(sun.y) * mix(0.5, 0.2, up)) * exp(-40.0 * max(0.0, -sun.y));
    vec3 single = SUN_IRRADIANCE * reaching * scattered * (1.0 - exp(-depth * air_mass(up)));
    // Light scattered more than once: nearly even, and about as strong as what the first scattering removed from the sun.
    vec3 multiple = 0.06 * SUN_IRRADIANCE * max(sun.y + 0.08, 0.0) * (1.0 - exp(-depth * air_mass(up))) * exp(-0.5 * depth);
    return single + multiple;
}

// Irradiance of the sky on level water, from three elevations around the sun's azimuth and against it.
vec3 sky_irradiance() {
    vec3 around = normalize(vec3(sun.x, 0.0001, sun.z));
    vec3 sum = sky_radiance(vec3(0.0, 1.0, 0.0));
    sum += sky_radiance(normalize(vec3(around.x, 0.8, around.z))) + sky_radiance(normalize(vec3(-around.x, 0.8, -around.z)));
    sum += sky_radiance(normalize(vec3(around.z, 0.8, -around.x))) + sky_radiance(normalize(vec3(-around.z, 0.8, around.x)));
    return PI * sum / 5.0;
}

// Share of a surface's light that the air between scatters away over a distance [m], and replaces by its own.
float aerial(float distance) {
    return 1.0 - exp(-distance * haze / 18000.0);
}
