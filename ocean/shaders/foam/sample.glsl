// Reading the foam map, and giving it structure.
#include "common/view.glsl"
#include "foam/map.glsl"
#include "foam/lace.glsl"
#include "surface/foam.glsl"

layout(binding = SAMPLER_FOAM) uniform sampler2DArray foam_map;

float foam_level(vec2 position, int level) {
    vec2 texel = vec2(wrap(windows[level].xy)) + (position - corners[level].xy) / corners[level].z;
    return textureLod(foam_map, vec3(texel / float(FOAM_SIZE), level), 0.0).r;
}

// Shares of the water under a film of foam and under thick foam whose means are normal quantiles, `apart` from each other,
// gathered where the drawn waves draw the water together. `strain` is that, Dxx + Dzz, in deviations of all waves', and
// `drawn` the share of its variance that is drawn; if both are Gaussian, what is left of it exceeds what foam takes with
// this likelihood, whose mean is the same. What is thick is there where it is drawn together most.
vec2 gathered(float film, float apart, float strain, float drawn) {
    float left = inversesqrt(max(1.0 - drawn, 0.05));
    return vec2(normal((film - strain) * left), normal((film - apart - strain) * left));
}

// Of a level of the map; if its texels are larger than what breaks on them, what these do not show of the strain gathers it.
vec2 foam_drawn(vec2 position, int level, float strain, float drawn) {
    float foam = foam_level(position, level), unshown = births[level].y;
    if (unshown == 0.0) return film_and_thick(foam, foam_thinning);
    if (foam < LEAST) return vec2(0.0);
    return gathered(quantile(foam), foam_apart * inversesqrt(unshown), sqrt(unshown) * strain, unshown * drawn);
}

// Shares of the water under a film of foam and under thick foam at a still-water position relative to the origin, for a
// pixel of `footprint` metres, with the strain and the share of it that `gathered` takes.
vec2 foam_at(vec2 position, float footprint, float strain, float drawn) {
    float reach = max(abs(position.x), abs(position.y)) / (0.5 * float(FOAM_SIZE) * corners[0].z);
    // A level serves out to 0.8 of its half side, and pixels that are no larger than twice its texels.
    float level = max(log2(max(reach / 0.8, 1e-6)) + 1.0, log2(max(0.5 * footprint / corners[0].z, 1e-6)));
    int fine = int(clamp(floor(level), 0.0, float(FOAM_LEVELS - 1)));
    vec2 beyond = gathered(quantile(foam_mean), foam_apart, strain, drawn);
    if (level >= float(FOAM_LEVELS)) return beyond;
    vec2 here = foam_drawn(position, fine, strain, drawn);
    float t = smoothstep(0.5, 1.0, level - float(fine));
    if (level < 0.5 || t == 0.0) return here;
    return mix(here, fine + 1 < FOAM_LEVELS ? foam_drawn(position, fine + 1, strain, drawn) : beyond, t);
}
