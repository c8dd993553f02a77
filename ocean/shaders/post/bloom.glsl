// Resampling of levels of the bloom's pyramid, at any sizes. A LEVEL is a texture unless the shader has defined another
// type, with a `size_of` and a `texel_of`.
#ifndef LEVEL
#define LEVEL sampler2D
#define FILTERED
ivec2 size_of(sampler2D level) { return textureSize(level, 0); }
vec3 texel_of(sampler2D level, ivec2 at) { return texelFetch(level, at, 0).rgb; }
#endif

// Mean of a level over the area of a texel of another level, whose size is `size`.
vec3 mean_over(LEVEL level, ivec2 texel, ivec2 size) {
    ivec2 sides = size_of(level);
    if (sides == 2 * size) {
        ivec2 at = 2 * texel;
        vec3 upper = texel_of(level, at) + texel_of(level, at + ivec2(1, 0));
        return 0.25 * (upper + texel_of(level, at + ivec2(0, 1)) + texel_of(level, at + 1));
    }
    vec2 scale = vec2(sides) / vec2(size), low = vec2(texel) * scale, high = low + scale;
    ivec2 first = ivec2(low), last = min(ivec2(ceil(high - 1e-4)) - 1, sides - 1);
    vec3 sum = vec3(0.0);
    for (int y = first.y; y <= last.y; ++y)
        for (int x = first.x; x <= last.x; ++x) {
            vec2 covered = max(min(high, vec2(x, y) + 1.0) - max(low, vec2(x, y)), 0.0) / scale;
            sum += covered.x * covered.y * texel_of(level, ivec2(x, y));
        }
    return sum;
}

// Upsampling to a finer level: a box filter, then smoothing by [1 2 1] / 4 with mirrored edges. Both keep the sum, at
// odd sizes too. Where sizes halve exactly, both together are bilinear interpolation.
vec3 upsampled(LEVEL level, ivec2 texel, ivec2 fine) {
#ifdef FILTERED
    if (fine == 2 * size_of(level)) return textureLod(level, (vec2(texel) + 0.5) / vec2(fine), 0.0).rgb;
#endif
    vec3 sum = vec3(0.0);
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
            float weight = (x == 0 ? 0.5 : 0.25) * (y == 0 ? 0.5 : 0.25);
            sum += weight * mean_over(level, clamp(texel + ivec2(x, y), ivec2(0), fine - 1), fine);
        }
    return sum;
}
