#version 430
// Computes the periodic noise of the clouds, once. In the 2D texture, r, g and (finer) a are gradient noise (Perlin
// 2002) in four octaves, and b is billows in three octaves: one minus the square of Worley's distance, since the
// distance itself gives each billow a point. The 3D texture has billows alone. Both have 512² = 64³ texels, and
// an invocation computes one of each. Readers use scales without a common period, so that no tiling shows.
#pragma optionNV(unroll none)  // unrolling 162 cells takes NVIDIA's compiler longer than computing the noise
#include "common/bindings.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16, binding = IMAGE_SKY) writeonly uniform image2D table;
layout(r8, binding = IMAGE_CLOUDS) writeonly uniform image3D space;

// Random numbers in [0, 1): PCG in three dimensions (Jarzynski and Olano 2020).
vec3 hash(uvec3 v) {
    v = v * 1664525u + 1013904223u;
    v += v.yzx * v.zxy;
    v ^= v >> 16u;
    v += v.yzx * v.zxy;
    return vec3(v >> 8) / 16777216.0;
}

float gradient(ivec2 cell, vec2 offset, int cells, uint seed) {
    float angle = 6.2831853 * hash(uvec3((cell + cells) % cells, seed)).x;
    return dot(vec2(cos(angle), sin(angle)), offset);
}

float perlin(vec2 uv, int cells, uint seed) {
    vec2 p = uv * float(cells), f = fract(p), u = f * f * f * (f * (6.0 * f - 15.0) + 10.0);
    ivec2 i = ivec2(floor(p));
    float low = mix(gradient(i, f, cells, seed), gradient(i + ivec2(1, 0), f - vec2(1, 0), cells, seed), u.x);
    float high = mix(gradient(i + ivec2(0, 1), f - vec2(0, 1), cells, seed), gradient(i + 1, f - 1.0, cells, seed), u.x);
    return mix(low, high, u.y);
}

float worley(vec3 uv, int cells, uint seed) {
    vec3 p = uv * float(cells), f = fract(p);
    ivec3 i = ivec3(floor(p));
    float nearest = 2.0;
    for (int n = 0; n < 27; ++n) {
        ivec3 next = ivec3(n % 3, n / 3 % 3, n / 9) - 1;
        vec3 point = hash(uvec3((i + next + cells) % cells) + seed * uvec3(101, 211, 307)) + vec3(next) - f;
        nearest = min(nearest, dot(point, point));
    }
    return max(1.0 - nearest, 0.0);
}

// Gradient noise in four octaves, 0 to 1; each octave has the amplitude of the previous one times `weaker`.
float octaves(vec2 uv, int cells, float weaker, uint seed) {
    float sum = 0.0, weight = 1.0, squares = 0.0;
    for (int i = 0; i < 4; ++i, weight *= weaker) {
        sum += weight * perlin(uv, cells << i, seed + uint(i));
        squares += weight * weight;
    }
    return clamp(0.5 + 0.71 * sum * inversesqrt(squares), 0.0, 1.0);
}

float billows(vec3 uv, int cells, uint seed) {
    return 0.625 * worley(uv, cells, seed) + 0.25 * worley(uv, 2 * cells, seed + 1u) + 0.125 * worley(uv, 4 * cells, seed + 2u);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    vec2 uv = (vec2(texel) + 0.5) / vec2(imageSize(table));
    imageStore(table, texel, vec4(octaves(uv, 6, 0.4, 11u), octaves(uv, 8, 0.4, 21u), billows(vec3(uv, 0.5), 7, 31u),
                                  octaves(uv, 16, 0.5, 51u)));
    int side = imageSize(space).x;
    ivec3 voxel = ivec3(texel % side, texel.x / side + imageSize(table).x / side * (texel.y / side));
    imageStore(space, voxel, vec4(billows((vec3(voxel) + 0.5) / float(side), 4, 61u)));
}
