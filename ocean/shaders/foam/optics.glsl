// Optics of foam: a film of single bubbles with mounds of thick foam on it. tests/reference/foam_light.py is the reference
// implementation in float64, and derives the constants.

const float FOAM_ALBEDO = 0.9;                                   // reflectance of infinitely thick foam
const float FILM = 2.0 * 0.02 / FOAM_ALBEDO;                     // opacity of a raft of single bubbles
const float FRESH = (0.55 / FOAM_ALBEDO - FILM) / (1.0 - FILM);  // fraction of fresh foam that is thick
const float FOAM_HEIGHT = 0.06, STEEPEST = 1.0;                  // thickness of foam [m]; largest slope of its mounds and of rollers
const float ROLLER_OPACITY = 0.95, ROLLER_FULL = 0.25, RAGGED = 3.0;  // opacity of a roller; thickness [m] at which it covers half; weight of lumps

// Returns the fractions of the water under a film (x) and under thick foam (y), for foam of a given strength and a single age.
vec2 film_and_thick(float foam, float thinning) { return vec2(foam, FRESH * pow(foam, thinning)); }

// Returns the horizontal unit vector of a direction; 0 straight up.
vec2 azimuth_of(vec3 direction) { return direction.xz / max(length(direction.xz), 1e-6); }

// Returns the opacity of a footprint with these fractions.
float opacity(vec2 shares) { return FILM * shares.x + (1.0 - FILM) * shares.y; }

// Returns the radiance of thick foam on water with normal N. `rise` is the slope of its surface towards the azimuth of the sun; the
// slope across that azimuth is left out, because it would take at most 3 % of the light. L points towards the sun, `sunlight_` is the
// sun's irradiance on a surface that faces it, `skylight` that of the sky. `wrapped`, 0 to 1, is the part of sunlight that spreads
// within the foam to faces in shadow.
vec3 foam_radiance(vec3 N, vec3 L, float rise, vec3 sunlight_, vec3 skylight, float wrapped) {
    vec2 tilt = clamp(rise, -STEEPEST, STEEPEST) * azimuth_of(L);
    vec3 leaning = normalize(N - vec3(tilt.x, 0.0, tilt.y));
    vec3 up = normalize(leaning + vec3(0.0, 1.0, 0.0));  // multiple scattering evens out the mounds' shading
    return FOAM_ALBEDO / PI * (sunlight_ * (max(dot(up, L) + wrapped, 0.0) / (1.0 + wrapped)) + skylight);
}

// Returns the fraction of a footprint that a roller covers, from its thickness [m] and its lumps' height relative to the
// mean. Where it is thin, only lumps are white; where it is thick, only its deepest creases are not.
float roller_cover(float thickness, float lumps) {
    return smoothstep(0.0, 1.0, thickness / ROLLER_FULL + RAGGED * (lumps - 1.0) - 0.5);
}
