#version 430
// Computes a mip level of the environment from the previous level.
#include "common/bindings.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = IMAGE_MIP_SOURCE) readonly uniform image2DArray source;
layout(rgba32f, binding = IMAGE_MIP_1) writeonly uniform image2DArray level;

#define PREVIOUS(x, y) imageLoad(source, ivec3(x, y, 0))
#include "sky/lobes.glsl"

uniform bool first;  // the source is level 0

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    imageStore(level, ivec3(texel, 0), lobe_mean(texel, imageSize(source).x, first));  // dropped outside of a level
}
