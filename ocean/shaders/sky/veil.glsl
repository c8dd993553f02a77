// A veil of ice high above the clouds, too thin for multiple scattering, with streaks along one heading.
#include "sky/clouds.glsl"

const float ICE = 0.7, ICE_EVEN = 0.3;  // asymmetry of scattering by ice, and its isotropic fraction

// Radiance of the veil along a ray (rgb) and its transmittance (a), single scattering. `sky` is the radiance of the sky
// without the veil, `angle` the width of the ray [rad]. The air before the veil has a share in `sky` in
// proportion to its opacity.
vec4 veil_light(float height, vec3 direction, vec3 sky, float angle) {
    if (deck.w <= 0.0 || direction.y <= 0.0) return vec4(0.0, 0.0, 0.0, 1.0);
    float far = to_shell(height, direction.y, VEIL_HEIGHT), top = EARTH_RADIUS + VEIL_HEIGHT;
    float cosine = dot(direction, sun_direction.xyz);
    float mu = (direction.y * (EARTH_RADIUS + height) + far) / top;
    float up = (sun_direction.y * (EARTH_RADIUS + height) + far * cosine) / top;
    float depth = veil_depth(CLOUDS_FROM + far * direction.xz, angle * far / mu), through = exp(-depth / mu);
    float phase = mix(henyey_greenstein(ICE, cosine), 0.25 / PI, ICE_EVEN);
    vec3 lit = rgb(solar * sunlight(VEIL_HEIGHT, up)) * phase * exp(-0.5 * depth / max(abs(up), 0.05))
        + light.clear_sky.rgb / (2.0 * PI);
    vec4 all = transmittance(height, direction.y);
    vec3 kept = rgb(solar * all / transmittance(VEIL_HEIGHT, mu)) / rgb(solar);
    vec3 before = (1.0 - kept) / (1.0 - rgb(solar * all) / rgb(solar));
    return (1.0 - through) * vec4(before * sky + kept * lit, 0.0) + vec4(0.0, 0.0, 0.0, through);
}
