// Foam has a body: it is as bright as it is thick, and its mounds lean towards the sun and away from it. light/foam.py says
// the same, and why. Thickness is in the units of foam/lace.glsl.

const float FOAM_ALBEDO = 0.75, FOAM_HALF = 0.3;  // of thick foam, and the thickness that has half of it
const float FOAM_HEIGHT = 0.03, STEEPEST = 0.5;   // m of foam that is 1 thick; the steepest slope of its mounds

// Radiance of foam on water with normal N, whose thickness rises by so much a metre east and south, for the irradiance of
// the sun L on a surface that faces it and that of the sky.
vec3 foam_radiance(vec3 N, vec3 L, float thickness, vec2 rise, vec3 sunlight_, vec3 skylight) {
    vec2 tilt = FOAM_HEIGHT * rise;
    tilt *= min(1.0, STEEPEST * inversesqrt(max(dot(tilt, tilt), 1e-12)));
    vec3 leaning = normalize(N - vec3(tilt.x, 0.0, tilt.y));
    vec3 up = normalize(leaning + vec3(0.0, 1.0, 0.0));  // light wanders through bubbles from side to side
    return FOAM_ALBEDO / PI * thickness / (thickness + FOAM_HALF) * (sunlight_ * max(dot(up, L), 0.0) + skylight);
}
