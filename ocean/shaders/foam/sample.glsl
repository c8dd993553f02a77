// Reading the foam map, and giving it structure.
#include "common/view.glsl"
#include "foam/map.glsl"

layout(binding = SAMPLER_FOAM) uniform sampler2DArray foam_map;

const float NOISE_PERIOD = 64.0;  // m

float foam_level(vec2 position, int level) {
    vec2 texel = vec2(wrap(windows[level].xy)) + (position - corners[level].xy) / corners[level].z;
    return textureLod(foam_map, vec3(texel / float(FOAM_SIZE), level), 0.0).r;
}

// Foam in [0, 1] at a still-water position relative to the origin; beyond the map its mean.
float foam_at(vec2 position) {
    float reach = max(abs(position.x), abs(position.y)) / (0.5 * float(FOAM_SIZE) * corners[0].z);
    float level = log2(max(reach / 0.8, 1e-6)) + 1.0;  // a level serves out to 0.8 of its half side
    int fine = int(clamp(floor(level), 0.0, float(FOAM_LEVELS - 1)));
    if (level >= float(FOAM_LEVELS)) return foam_mean;
    float here = foam_level(position, fine);
    float t = smoothstep(0.7, 1.0, level - float(fine));
    if (level < 0.7 || t == 0.0) return here;
    return mix(here, fine + 1 < FOAM_LEVELS ? foam_level(position, fine + 1) : foam_mean, t);
}

// PCG hash of a lattice point (Jarzynski and Olano 2020), in [0, 1).
float hash(ivec2 p) {
    uvec2 v = uvec2(p) * 1664525u + 1013904223u;
    v.x += v.y * 1664525u;
    v.y += v.x * 1664525u;
    v ^= v >> 16u;
    v.x += v.y * 1664525u;
    return float(v.x >> 8) / 16777216.0;
}

// Value noise in [0, 1] with `cells` lattice points a NOISE_PERIOD.
float value_noise(vec2 position, int cells) {
    vec2 p = position * (float(cells) / NOISE_PERIOD);
    ivec2 i = ivec2(floor(p));
    vec2 f = fract(p), u = f * f * (3.0 - 2.0 * f);
    ivec2 a = (i + 4096 * cells) % cells, b = (a + 1) % cells;  // % is undefined below 0
    return mix(mix(hash(a), hash(ivec2(b.x, a.y)), u.x), mix(hash(ivec2(a.x, b.y)), hash(b), u.x), u.y);
}

// Share of the surface that foam covers at a position, for a pixel of `footprint` metres: old foam is torn into threads.
float foam_coverage(vec2 position, float footprint) {
    float foam = foam_at(position);
    if (foam <= 0.0) return 0.0;
    vec2 p = position + noise_origin;
    float fade = clamp(1.5 - 4.0 * footprint, 0.0, 1.0);  // structure finer than a pixel averages out
    float ridges = 1.0 - abs(2.0 * value_noise(p, 96) - 1.0);
    float grain = mix(value_noise(p + 17.0, 256), value_noise(p, 640), 0.45);
    // Stretched so that it is about evenly distributed: the share of it above 1 - foam is then about foam.
    float texture_ = 0.5 + fade * 1.8 * (0.55 * ridges + 0.45 * grain - 0.55);
    return smoothstep(0.75 - foam, 1.3 - foam, texture_) * (0.55 + 0.45 * grain);
}
