// Reading the foam map, and giving it structure.
#include "common/view.glsl"
#include "foam/map.glsl"
#include "foam/lace.glsl"

layout(binding = SAMPLER_FOAM) uniform sampler2DArray foam_map;

float foam_level(vec2 position, int level) {
    vec2 texel = vec2(wrap(windows[level].xy)) + (position - corners[level].xy) / corners[level].z;
    return textureLod(foam_map, vec3(texel / float(FOAM_SIZE), level), 0.0).r;
}

// Foam where the map does not reach, or is finer than a pixel: its mean, gathered where the drawn waves draw the water
// together. `strain` is that, Dxx + Dzz, in deviations of all waves', and `drawn` the share of its variance that is drawn;
// if both are Gaussian, what is left of it exceeds what foam takes with this likelihood, whose mean is the map's.
float foam_beyond(float strain, float drawn) {
    return normal((quantile(foam_mean) - strain) * inversesqrt(max(1.0 - drawn, 0.05)));
}

// Foam in [0, 1] at a still-water position relative to the origin, for a pixel of `footprint` metres.
float foam_at(vec2 position, float footprint, float beyond) {
    float reach = max(abs(position.x), abs(position.y)) / (0.5 * float(FOAM_SIZE) * corners[0].z);
    // A level serves out to 0.8 of its half side, and pixels that are no larger than twice its texels.
    float level = max(log2(max(reach / 0.8, 1e-6)) + 1.0, log2(max(0.5 * footprint / corners[0].z, 1e-6)));
    int fine = int(clamp(floor(level), 0.0, float(FOAM_LEVELS - 1)));
    if (level >= float(FOAM_LEVELS)) return beyond;
    float here = foam_level(position, fine);
    float t = smoothstep(0.5, 1.0, level - float(fine));
    if (level < 0.5 || t == 0.0) return here;
    return mix(here, fine + 1 < FOAM_LEVELS ? foam_level(position, fine + 1) : beyond, t);
}
