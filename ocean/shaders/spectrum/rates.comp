#version 430
// Writes the time derivative of the evolved spectrum, packed like the spectrum itself, one layer per cascade. After the
// transform the layer holds (ht, Dxzt, Dxt, Dzt), the velocity of the water at choppiness 1.
#include "spectrum/wave_vectors.glsl"
#include "spectrum/amplitudes.glsl"
#include "spectrum/evolve.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32f, binding = IMAGE_FRONT) writeonly uniform image2DArray front;

void main() {
    ivec3 bin = ivec3(gl_GlobalInvocationID);
    if (!exists(bin.xy)) return;
    Cascade tile = cascades[bin.z];
    uint n = load_steps(bin);
    vec2 rate = float(n) * tile.turn * evolve_turned(load_amplitude(bin), n, tile.ticks);
    vec2 k = wave_vector(tile, bin.xy);
    imageStore(front, bin, pack_displacement(rate, k, orbits(k, tile)));
}
