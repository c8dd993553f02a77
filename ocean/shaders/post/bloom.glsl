// Upsampling of a level of the bloom's pyramid: a box filter to the size of the finer level, then smoothing by [1 2 1]
// / 4 with mirrored edges. Both keep the sum, at odd sizes too. Where sizes halve exactly, both together are bilinear
// interpolation.

// Mean of the level over the area of a texel of the finer level, whose size is `fine`.
vec3 covering(sampler2D level, ivec2 texel, ivec2 fine) {
    ivec2 coarse = textureSize(level, 0);
    vec2 scale = vec2(coarse) / vec2(fine), low = vec2(texel) * scale, high = low + scale;
    ivec2 first = ivec2(low), last = min(ivec2(ceil(high - 1e-4)) - 1, coarse - 1);
    vec3 sum = vec3(0.0);
    for (int y = first.y; y <= last.y; ++y)
        for (int x = first.x; x <= last.x; ++x) {
            vec2 covered = (min(high, vec2(x, y) + 1.0) - max(low, vec2(x, y))) / scale;
            sum += covered.x * covered.y * texelFetch(level, ivec2(x, y), 0).rgb;
        }
    return sum;
}

vec3 upsampled(sampler2D level, ivec2 texel, ivec2 fine) {
    if (fine == 2 * textureSize(level, 0)) return textureLod(level, (vec2(texel) + 0.5) / vec2(fine), 0.0).rgb;
    vec3 sum = vec3(0.0);
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
            float weight = (x == 0 ? 0.5 : 0.25) * (y == 0 ? 0.5 : 0.25);
            sum += weight * covering(level, clamp(texel + ivec2(x, y), ivec2(0), fine - 1), fine);
        }
    return sum;
}
