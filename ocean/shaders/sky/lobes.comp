#version 430
// Computes a mip level of the environment from the previous level. Each texel is the mean over the part of a Gaussian lobe
// above the horizon. Variances of convolved lobes add up, so the kernel has the difference of both levels' variances.
#include "common/bindings.glsl"
#include "sky/environment.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = IMAGE_MIP_SOURCE) readonly uniform image2DArray source;
layout(rgba32f, binding = IMAGE_MIP_1) writeonly uniform image2DArray level;

uniform bool first;  // the source is level 0, which is not blurred

const int REACH = 8;  // texels of the source to each side: 2.3 standard deviations at the zenith

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    int side = imageSize(source).x;
    float own = lobe_deviation(0.5 * float(side)), before = first ? 0.0 : lobe_deviation(float(side));
    vec3 axis = normalize(environment_direction((2.0 * vec2(texel) + 1.0) / float(side)));
    ivec2 low = max(2 * texel + 1 - REACH, 0), high = min(2 * texel + 1 + REACH, side);
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x) {
            vec3 v = environment_direction((vec2(x, y) + 0.5) / float(side));
            float inverse = inversesqrt(dot(v, v));  // its third power is proportional to the texel's solid angle
            float weight = pow(inverse, 3.0) * exp((inverse * dot(axis, v) - 1.0) / (own * own - before * before));
            sum += weight * imageLoad(source, ivec3(x, y, 0));
            weights += weight;
        }
    imageStore(level, ivec3(texel, 0), sum / weights);  // stores outside of a level are dropped
}
