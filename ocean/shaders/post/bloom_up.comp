#version 430
// Adds the coarser levels to a level of the bloom's pyramid; the weights sum to 1.
#include "common/bindings.glsl"
#include "post/bloom.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = SAMPLER_BLOOM) uniform sampler2D coarser;
layout(rgba32f, binding = IMAGE_SKY) uniform image2D level;

uniform float spread;  // weight of the coarser levels

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy), fine = imageSize(level);
    if (any(greaterThanEqual(texel, fine))) return;
    vec3 here = imageLoad(level, texel).rgb;
    imageStore(level, texel, vec4(mix(here, upsampled(coarser, texel, fine), spread), 1.0));
}
