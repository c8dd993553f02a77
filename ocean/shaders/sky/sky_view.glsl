// Layers of the table of the sky without clouds. Each viewpoint has five: light scattered by molecules or more than
// once; light scattered once by aerosols, without its phase function; both again for the air before the clouds; and the
// transmittance of that air.
#include "sky/air.glsl"

const int SKY_OF_EYE = 0, SKY_OF_SEA = 5, BEFORE_CLOUDS = 2;
