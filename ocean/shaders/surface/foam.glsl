// Foam is a film and thick foam on it, whose mounds lean towards the sun and away from it. light/foam.py says the same, and
// why.

const float FOAM_ALBEDO = 0.9;                                   // of foam without end
const float FILM = 2.0 * 0.02 / FOAM_ALBEDO;                     // opacity of a raft of single bubbles
const float FRESH = (0.55 / FOAM_ALBEDO - FILM) / (1.0 - FILM);  // share under thick foam where it is fresh
const float FOAM_HEIGHT = 0.06, STEEPEST = 0.5;                  // m of thick foam; the steepest slope of its mounds

// Shares of the water under a film, and under thick foam, in foam of a strength and one age.
vec2 film_and_thick(float foam, float thinning) { return vec2(foam, FRESH * pow(foam, thinning)); }

// Of a footprint of which they cover such shares.
float opacity(vec2 shares) { return FILM * shares.x + (1.0 - FILM) * shares.y; }

// Radiance of thick foam on water with normal N, whose opacity rises by so much a metre east and south, for the irradiance
// of the sun L on a surface that faces it and that of the sky.
vec3 foam_radiance(vec3 N, vec3 L, vec2 rise, vec3 sunlight_, vec3 skylight) {
    vec2 tilt = FOAM_HEIGHT * rise;
    tilt *= min(1.0, STEEPEST * inversesqrt(max(dot(tilt, tilt), 1e-12)));
    vec3 leaning = normalize(N - vec3(tilt.x, 0.0, tilt.y));
    vec3 up = normalize(leaning + vec3(0.0, 1.0, 0.0));  // light wanders through bubbles from side to side
    return FOAM_ALBEDO / PI * (sunlight_ * max(dot(up, L), 0.0) + skylight);
}
