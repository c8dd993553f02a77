#version 430
// Adds the change of the height by a cascade's nonlinear amplitudes to its rates, which already contain linear motion. The
// horizontal rates of linear motion are the gradient of the solution's potential.
#include "spectrum/wave_vectors.glsl"
#include "spectrum/evolve.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32f, binding = IMAGE_FRONT) uniform image2DArray front;
layout(binding = SAMPLER_WAVES_BEFORE) uniform sampler2D before;
layout(binding = SAMPLER_WAVES_AFTER) uniform sampler2D after;
layout(binding = SAMPLER_LOOP_STEPS) uniform usampler2D loop_steps;

uniform int cascade;
uniform float per_step;  // 1/s, times the cascade's weight

// Returns the rate of change of an amplitude [m/s].
vec2 change(ivec2 there) {
    return per_step * (texelFetch(after, there, 0).rg - texelFetch(before, there, 0).rg);
}

void main() {
    ivec2 bin = ivec2(gl_GlobalInvocationID.xy);
    if (!exists(bin)) return;
    ivec2 n = signed_index(bin), there = (n + POINTS) % POINTS;
    if (max(abs(n.x), abs(n.y)) >= POINTS / 2) return;
    Cascade tile = cascades[cascade];
    vec2 k = wave_vector(tile, bin), mirror = change((POINTS - there) % POINTS);
    vec2 H = evolve(vec4(change(there), mirror.x, -mirror.y), texelFetch(loop_steps, there, 0).r, tile.ticks);
    ivec3 place = ivec3(bin, cascade);
    imageStore(front, place, imageLoad(front, place) + pack_displacement(H, k, vec2(0.0)));
}
