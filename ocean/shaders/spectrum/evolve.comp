#version 430
// Evolves the spectrum to the frame's time and writes its two packed layers for the transform; z counts cascades.
#include "spectrum/wave_vectors.glsl"
#include "spectrum/amplitudes.glsl"
#include "spectrum/evolve.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32f, binding = IMAGE_FRONT) writeonly uniform image2DArray front;

void main() {
    ivec3 bin = ivec3(gl_GlobalInvocationID);
    if (!exists(bin.xy)) return;
    Cascade tile = cascades[bin.z];
    vec2 H = evolve(load_amplitude(bin), load_steps(bin), tile.ticks);
    vec2 k = wave_vector(tile, bin.xy), D = orbits(k, tile);
    imageStore(front, ivec3(bin.xy, 2 * bin.z), pack_displacement(H, k, D));
    imageStore(front, ivec3(bin.xy, 2 * bin.z + 1), pack_derivatives(H, k, D));
}
