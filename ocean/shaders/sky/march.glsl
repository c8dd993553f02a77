// Ray marching through the air: in-scattered radiance, as RGB.
//
// Below clouds, direct sunlight and scattered light are multiplied by their mean fractions under the clouds (`below` of
// sky/light.glsl; ocean/light/clouds.py computes them). Inside the layer of clouds these factors rise to 1.
#include "sky/scattered.glsl"

// Marches from `height` along a ray of cosine mu to the zenith, over a distance [m]; nu is the cosine between ray and
// sun. `even` is the radiance of light scattered by molecules or more than once [kcd/m²]. `glare` is the radiance
// of light scattered once by aerosols, without its phase function, too sharp for a table. `kept` is the transmittance.
void march(float height, float mu, float nu, float distance, int steps, vec4 below, out vec3 even, out vec3 glare,
           out vec3 kept) {
    float mu_sun = sun_direction.y, phase = rayleigh_phase(nu);
    vec4 through = vec4(1.0), first = vec4(0.0), second = vec4(0.0), shaded = vec4(0.0), molecules, drops, extinction;
    for (int i = 0; i < steps; ++i) {
        float a = float(i) / float(steps), b = float(i + 1) / float(steps);
        float start = a * a * distance, end = b * b * distance, along = 0.5 * (start + end);
        float h = height_along(height, mu, along);
        float up = (mu * (EARTH_RADIUS + height) + along) / (EARTH_RADIUS + h);
        float local_sun = (mu_sun * (EARTH_RADIUS + height) + along * nu) / (EARTH_RADIUS + h);
        coefficients(h, molecules, drops, extinction);
        vec4 passed = exp(-extinction * (end - start)), scattered = through * (1.0 - passed) / extinction;
        vec4 lit = sunlight(h, local_sun);
        float under = 1.0 - clamp((h - clouds.y) / clouds.z, 0.0, 1.0);
        vec4 later = scattered * max(rescattered(h, up, local_sun, nu, molecules, drops), 0.0);
        lit *= mix(1.0, below.a, under);
        first += scattered * molecules * phase * lit + (1.0 - under) * later;
        second += scattered * drops * lit;
        shaded += under * later;
        through *= passed;
    }
    even = rgb(solar * first) + below.rgb * rgb(solar * shaded);
    glare = rgb(solar * second);
    kept = rgb(solar * through) / rgb(solar);
}
