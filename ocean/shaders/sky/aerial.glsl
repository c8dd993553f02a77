// The table of aerial perspective. Its three layers equal the layers of the air before clouds (sky/sky_view.glsl).
const int AERIAL = -1;         // value of `rays` in sky/rays.comp for this table
const float FARTHEST = 250e3;  // m: beyond the horizon seen from 2 km, and beyond waves behind it
