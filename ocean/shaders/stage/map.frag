#version 430
// A view of a cascade's arrays: their elements on a square beside the legend, the nearest to each pixel. What
// the transform loads is evolved here by the functions that evolve it there, so a fused transform shows it too.
#include "spectrum/wave_vectors.glsl"
#include "spectrum/amplitudes.glsl"
#include "spectrum/evolve.glsl"

#include "common/maps.glsl"

uniform ivec2 corner;   // of the square, its lower left one [pixels]
uniform int side;       // and its side
uniform int cascade;
uniform int field;      // of the eight

in vec2 uv;
out vec4 value;

vec3 modulus(vec2 z) { return vec3(length(z), z); }

// The packed field that holds `field`.
vec2 packed_field(ivec3 bin) {
    Cascade tile = cascades[cascade];
    vec2 H = evolve(load_amplitude(bin), load_steps(bin), tile.ticks), k = wave_vector(tile, bin.xy), D = orbits(k, tile);
    vec4 pair = field < 4 ? pack_displacement(H, k, D) : pack_derivatives(H, k, D);
    return (field & 2) == 0 ? pair.xy : pair.zw;
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy) - corner;
    pixel.y = side - 1 - pixel.y;  // downwards
    value = vec4(0.0);
    if (min(pixel.x, pixel.y) < 0 || max(pixel.x, pixel.y) >= side) return;
    ivec2 texel = pixel * size / side;
    ivec3 bin = ivec3((texel + size / 2) % size, cascade);  // wave number 0 is in the middle
    value = vec4(STAGE, 1.0);
}
