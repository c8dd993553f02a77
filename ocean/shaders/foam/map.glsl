// The foam map: a clip map of square levels around the sea's origin, each twice as wide as the previous one, anchored to
// the world. A level's texel (i, j) stands for all world texels congruent to it modulo FOAM_SIZE (toroidal addressing).
// Exactly one of these lies within the level's window, so the texels stay in place when the window moves.
#include "common/bindings.glsl"

layout(std140, binding = BLOCK_FOAM) uniform Foam {
    // windows: the window's first world texel, xy now and zw one time step ago
    // corners: xy the corner of that texel relative to the origin [m]; z the texel [m]; w 1 if the level holds earlier foam
    // births: x texel on which breaking is judged [m]; y fraction of the strain's variance that it hides; z fraction of
    // bubbles that show beside foam
    ivec4 windows[FOAM_LEVELS];
    vec4 corners[FOAM_LEVELS];
    vec4 births[FOAM_LEVELS];
    float foam_threshold;        // Jacobian below which foam forms
    float foam_width;            // fall below the threshold at which the water is all foam
    float foam_most;             // most air that breaking water entrains
    float foam_gain;             // ratio of what the map holds to the air: 2 to the fraction of t / (tau ln 2)
    float foam_kept;             // factor on what the map holds in this step: 1, or 1/2 for each half-life that ends
    float foam_cutoff;           // strength at or below which foam is gone
    float foam_start;            // strain below which foam covers the water, in standard deviations
    float foam_breaking;         // strain below which water breaks, likewise
    float foam_steepness;        // standard deviations in a unit of strain
    float foam_judged;           // last level that resolves breaking
    float foam_ripples;          // slope variance of foamless ripples, relative to the mean
    float foam_thinning;         // exponent of foam's strength in the coverage of thick foam
    float foam_apart;            // deviations of strain between the starts of foam and of thick foam
    vec2 foam_streaks;           // coverage by streaks of foam, which the wind draws out, and by their thick foam
    vec2 foam_roller;            // thickness of rollers [m] per air, downwind
    vec2 foam_tumbled;           // texture coordinates of the origin in the rollers' detail, which runs with breakers
    vec2 foam_spilled;           // vector from breaking water to its foam [m], on levels that resolve breaking
};

// GLSL's % is undefined for negative numbers; FOAM_SIZE is a power of two.
ivec2 wrap(ivec2 texel) {
    return texel & (FOAM_SIZE - 1);
}

// Returns the level of the map for a pixel of `footprint` metres at a still-water position relative to the origin. From
// n + 0.5 to n + 1, level n blends into the next one. A level serves out to 0.8 of its half side, and pixels of up to
// twice its texels.
float serving_level(vec2 position, float footprint) {
    float reach = max(abs(position.x), abs(position.y)) / (0.5 * float(FOAM_SIZE) * corners[0].z);
    return max(log2(max(reach / 0.8, 1e-6)) + 1.0, log2(max(0.5 * footprint / corners[0].z, 1e-6)));
}

// Returns whether the map resolves breaking at a level; then only the map counts.
bool shows_breaking(float level) {
    int last = int(max(ceil(level - 0.5), 0.0));
    return last < FOAM_LEVELS && births[last].y == 0.0;
}
