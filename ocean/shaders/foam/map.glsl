// The foam map: a clip map of square levels around the sea's origin, each twice as wide as the one before, anchored to
// the world. A level's texel (i, j) stands for all world texels that are congruent to it modulo FOAM_SIZE (toroidal
// addressing), of which just one lies within the level's window; so nothing moves when the window does.
#include "common/bindings.glsl"

layout(std140, binding = BLOCK_FOAM) uniform Foam {
    // For each level: the window's first world texel, and the world position of that texel's corner relative to the
    // origin [m], now; and the first world texel one step ago.
    ivec4 windows[FOAM_LEVELS];  // xy now, zw before
    vec4 corners[FOAM_LEVELS];   // xy relative position [m], z texel [m], w 1 where the level holds a past
    vec4 births[FOAM_LEVELS];    // x texel on which breaking is judged [m]; y share of the strain that it does not show, z of bubbles bare
    float foam_threshold;        // Jacobian below which foam is born
    float foam_width;            // below the threshold by this much the water is all foam
    float foam_decay;            // what remains after this step: exp(-dt / tau)
    float foam_cutoff;           // at or below this, foam is gone
    float foam_start;            // strain up to which foam covers the water, in deviations,
    float foam_steepness;        // of which there are so many to a unit
    float foam_thinning;         // power of foam's strength with which thick foam goes
    float foam_apart;            // normal quantile of the mean, less that of the mean of thick foam
    vec2 foam_spilled;           // m, from where the water breaks to where its foam lies, on levels that show that
};

// GLSL's % is undefined for negative numbers; FOAM_SIZE is a power of two.
ivec2 wrap(ivec2 texel) {
    return texel & (FOAM_SIZE - 1);
}
