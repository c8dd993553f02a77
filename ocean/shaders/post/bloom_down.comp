#version 430
// Computes a level of the bloom's pyramid from the finer one: each texel is the mean over its area.
#include "common/bindings.glsl"
#include "post/bloom.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = SAMPLER_BLOOM) uniform sampler2D source;
layout(rgba32f, binding = IMAGE_SKY) writeonly uniform image2D target;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy), coarse = imageSize(target);
    if (all(lessThan(texel, coarse))) imageStore(target, texel, vec4(mean_over(source, texel, coarse), 1.0));
}
