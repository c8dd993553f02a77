#version 430
// Sums the foam in BLOCKS x BLOCKS squares of a level of its map, one square per work group. The differences between
// squares give the error of the mean.
#include "statistics/reduce.glsl"

layout(binding = SAMPLER_FOAM) uniform sampler2DArray foam;
uniform int level;
uniform float gain;  // ratio of what the map holds to the air

void main() {
    ivec3 shape = textureSize(foam, 0);
    uint side = uint(shape.x) / BLOCKS;
    uvec2 corner = side * uvec2(gl_WorkGroupID.x % BLOCKS, gl_WorkGroupID.x / BLOCKS);
    float sum = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < side * side; i += THREADS)
        sum += min(texelFetch(foam, ivec3(corner + uvec2(i % side, i / side), level), 0).r / gain, 1.0);
    write_sums(vec4(sum, 0.0, 0.0, 0.0), vec4(0.0), gl_WorkGroupID.x);
}
