#version 430
// Computes the light of the buoy where the hardware's raster draws it.
#include "buoy/light.glsl"

in vec3 relative;
in vec3 normal;
in vec3 albedo;
out vec4 colour;

void main() { colour = painted(relative, normalize(gl_FrontFacing ? normal : -normal), albedo, gl_FragCoord.xy); }
