#version 430
// Advances the foam map by a time step. Foam forms where the sum of all cascades is about to fold, and decays with time:
//     a <- max(a e^{-dt / tau}, (J_t - J) / width), and 0 at or below the cut-off,
// with J some metres upwind, because breakers spill down their fronts. a is the air in the water; up to 1 it is the strength of
// foam. The map holds it in red, times a gain that grows as air is lost, so that this changes no number and is exact in half
// floats. Green is the strength of foam on water that breaks now. Blue and alpha are the roller on it, `roller`.
// Texels too large to resolve breaking hold the expected foam, given the strain that they show, where the water is
// compressed most. This foam does not depend on earlier frames.
// The Jacobian is not linear in the waves, so the derivatives of the cascades are summed first, at world points of still
// water. Texels that have just entered the window start from the new foam alone.
#include "foam/birth.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = SAMPLER_FOAM) uniform sampler2DArray past;
layout(rgba16f, binding = IMAGE_FOAM) writeonly uniform image2DArray foam;

void main() {
    int level = int(gl_GlobalInvocationID.z);
    ivec2 local = ivec2(gl_GlobalInvocationID.xy);  // within the window
    ivec2 world = windows[level].xy + local;
    ivec3 texel = ivec3(wrap(world), level);
    vec2 position = corners[level].xy + (vec2(local) + 0.5) * corners[level].z;
    float before = was_inside(level, world) ? texelFetch(past, texel, 0).r : 0.0;
    imageStore(foam, texel, advanced(level, position, before));
}
