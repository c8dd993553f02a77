// A mip level of the environment from the previous level. Each texel is the mean over the part of a Gaussian lobe above the
// horizon. Variances of convolved lobes add up, so the kernel has the difference of both levels' variances. The shader
// defines PREVIOUS(x, y), a texel of the previous level.
#include "sky/environment.glsl"

const int REACH = 8;  // texels of the previous level to each side: 2.3 standard deviations at the zenith

// Returns a texel. The previous level has `side` texels a side; level 0, the `first`, is not blurred.
vec4 lobe_mean(ivec2 texel, int side, bool first) {
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
            sum += weight * PREVIOUS(x, y);
            weights += weight;
        }
    return sum / weights;
}
