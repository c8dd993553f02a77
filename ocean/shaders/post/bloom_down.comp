#version 430
// Computes a level of the bloom's pyramid from the finer one: each texel is the mean over its area, at any sizes.
#include "common/bindings.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = SAMPLER_BLOOM) uniform sampler2D source;
layout(rgba32f, binding = IMAGE_SKY) writeonly uniform image2D target;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy), coarse = imageSize(target), fine = textureSize(source, 0);
    if (any(greaterThanEqual(texel, coarse))) return;
    vec2 scale = vec2(fine) / vec2(coarse), low = vec2(texel) * scale, high = low + scale;
    vec3 sum = vec3(0.0);
    for (int y = int(low.y); float(y) < high.y && y < fine.y; ++y)
        for (int x = int(low.x); float(x) < high.x && x < fine.x; ++x) {
            vec2 covered = min(high, vec2(x, y) + 1.0) - max(low, vec2(x, y));
            sum += max(covered.x, 0.0) * max(covered.y, 0.0) * texelFetch(source, ivec2(x, y), 0).rgb;
        }
    imageStore(target, texel, vec4(sum / (scale.x * scale.y), 1.0));
}
