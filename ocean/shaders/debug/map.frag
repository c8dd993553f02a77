#version 430
// A debug view of a cascade's arrays: the nearest element to each pixel of a square beside the legend. The spectrum is
// evolved here with the functions of the transform, so the view works with fused transforms too.
#include "spectrum/wave_vectors.glsl"
#include "spectrum/amplitudes.glsl"
#include "spectrum/evolve.glsl"
#include "common/maps.glsl"

uniform ivec2 corner;  // lower left corner of the square [pixels]
uniform int side;      // of the square [pixels]
uniform int cascade;
uniform int field;     // index of one of the eight fields
uniform vec2 first;    // upper left corner of the shown part [elements]
uniform float span;    // side of the shown part [elements]

out vec4 value;

// Modulus, real and imaginary part.
vec3 modulus(vec2 z) { return vec3(length(z), z); }

// The packed complex field that contains `field`.
vec2 packed_field(ivec3 bin) {
    Cascade tile = cascades[cascade];
    vec2 H = evolve(load_amplitude(bin), load_steps(bin), tile.ticks), k = wave_vector(tile, bin.xy), D = orbits(k, tile);
    vec4 pair = field < 4 ? pack_displacement(H, k, D) : pack_derivatives(H, k, D);
    return (field & 2) == 0 ? pair.xy : pair.zw;
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy) - corner;
    pixel.y = side - 1 - pixel.y;  // rows of the array go downwards
    value = vec4(0.0);
    if (min(pixel.x, pixel.y) < 0 || max(pixel.x, pixel.y) >= side) return;
    ivec2 texel = ivec2(first + (vec2(pixel) + 0.5) * (span / float(side)));
    ivec3 bin = ivec3((texel + size / 2) % size, cascade);  // wave number 0 is in the middle
    value = vec4(DEBUG_VIEW, 1.0);
}
