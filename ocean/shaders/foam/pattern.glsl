// The pattern of foam: how much of the water foam of a given strength covers. ocean/waves/whitecaps.py does the same, and
// explains it.

#include "foam/patterns.glsl"

const float SOFTNESS = 0.35, SOFTNESS_BELOW = 1.0;  // widths of edges, as deviations
const float THINNING = 1.5;                         // width over which the other half of foam thins out
const float LEAST = 1e-5;                           // smallest coverage; below it the pattern's peaks would show

// Return the normal distribution function, with an error of 3e-4 (form of Hendrycks and Gimpel 2016), and its inverse, with
// an error of 3e-3 (Abramowitz and Stegun 1964, 26.2.22).
float normal(float x) { return 1.0 / (1.0 + exp(-1.5957691 * (x + 0.044715 * x * x * x))); }

float quantile(float p) {
    float t = sqrt(-2.0 * log(clamp(min(p, 1.0 - p), 1e-6, 0.5)));
    float x = t - (2.30753 + 0.27061 * t) / (1.0 + t * (0.99229 + 0.04481 * t));
    return p < 0.5 ? -x : x;
}

// Returns factors on the layers' weights as foam of a given strength ages and weakens: x for the layers in all foam, y
// for streaks along the wind. The squares of the weights add up to 1.
vec2 ageing(float foam) {
    float old = 1.0 - foam * foam * foam, share = pattern_layers[5].z * pattern_layers[5].z;
    return sqrt(vec2((1.0 - share * old) / (1.0 - share), old));
}

// Returns mean and variance of a layer over a footprint [m] around a position relative to the origin [m].
vec2 layer_at(int i, vec2 position, float footprint) {
    vec4 axes = pattern_layers[2 * i], rest = pattern_layers[2 * i + 1];
    vec2 uv = vec2(dot(axes.xy, position), dot(axes.zw, position)) + rest.xy;
    vec2 value = textureLod(foam_patterns, vec3(uv, i), log2(max(footprint * rest.w, 1.0))).rg;
    return vec2(value.x, max(value.y - value.x * value.x, 0.0));
}

// Returns mean and variance of all layers; see `layer_at`.
vec2[3] layers_at(vec2 position, float footprint) {
    // Written out: an array that a variable indexes would lie in memory.
    vec2 layers[3] = vec2[3](layer_at(0, position, footprint), vec2(0.0), vec2(0.0));
    if (pattern_layer_count > 1) layers[1] = layer_at(1, position, footprint);
    if (pattern_layer_count > 2) layers[2] = layer_at(2, position, footprint);
    return layers;
}

// Returns (xy) mean and variance of the pattern in foam of a given strength, and (zw) the same with the finest layer unresolved.
vec4 pattern_of(float foam, vec2[3] layers) {
    vec2 aged = ageing(foam);
    vec3 weights = vec3(aged.x * vec2(pattern_layers[1].z, pattern_layers[3].z), aged.y * pattern_layers[5].z), squares = weights * weights;
    vec2 others = layers[0] * vec2(weights.x, squares.x) + layers[2] * vec2(weights.z, squares.z);
    return vec4(others + layers[1] * vec2(weights.y, squares.y), others + vec2(0.0, squares.y));
}

// Returns the fraction of a footprint that foam of a given strength covers: half of the foam has outlines, and half thins out
// inside them.
float covered(float foam, vec2 pattern) {
    if (foam < LEAST) return 0.0;
    vec2 soft = vec2(SOFTNESS * SOFTNESS, THINNING * THINNING);
    vec2 excess = (quantile(foam) * sqrt(1.0 + soft) + pattern.x) * inversesqrt(pattern.y + soft);
    return 0.5 * (normal(excess.x) + normal(excess.y));
}

// Returns the fraction of the water below that is full of bubbles. They have drifted, so their pattern is softer than that of the
// foam and lacks the finest layer.
float bubbles_below(float foam, vec2 pattern) {
    if (foam < LEAST) return 0.0;
    float soft = SOFTNESS_BELOW * SOFTNESS_BELOW;
    return normal((quantile(foam) * sqrt(1.0 + soft) + pattern.x) * inversesqrt(pattern.y + soft));
}
