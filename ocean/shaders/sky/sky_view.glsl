// Layers of the table of the sky without its clouds. Each place has five: light by molecules and of higher orders, and
// single light by aerosols without its phase; the same of the air before the clouds, and the share that it leaves.
#include "sky/air.glsl"

const int SKY_OF_EYE = 0, SKY_OF_SEA = 5, BEFORE_CLOUDS = 2;
