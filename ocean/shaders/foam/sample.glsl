// Reading the foam map, and giving it structure.
#include "common/view.glsl"
#include "foam/map.glsl"
#include "foam/pattern.glsl"
#include "surface/foam.glsl"

const float LEAST_UNSHOWN = 0.05;  // of the variance of the strain on which breaking is judged
const float FRAY = 0.4;            // by how much the finest layer tears foam, over the first
const float LEFT_BELOW = 0.6;      // of bubbles, stays where the water broke

layout(binding = SAMPLER_FOAM) uniform sampler2DArray foam_map;

float foam_level(vec2 position, int level) {
    vec2 texel = vec2(wrap(windows[level].xy)) + (position - corners[level].xy) / corners[level].z;
    return textureLod(foam_map, vec3(texel / float(FOAM_SIZE), level), 0.0).r;
}

// The strain c (Dxx + Dzz) of waves that leave a variance of Dxx + Dzz to others, in deviations of that on which breaking
// is judged, and (y) its variance.
vec2 in_deviations(float strain, float left) {
    float unit = choppiness * foam_steepness;
    return vec2(foam_steepness * strain, max(unit * unit * (strain_variance - left), 1e-9));
}

// What is known of the strain on which breaking is judged, and the variance of that, from what was known and the strain of
// more waves, of which only the longer ones count there. ocean/waves/twin.py has the same, and `mean_foam`.
vec2 refine_strain(vec2 known, vec2 strain) {
    float more = strain.y - known.y, counts = more > 0.0 ? min((1.0 - known.y) / more, 1.0) : 0.0;
    return vec2(mix(known.x, strain.x, counts), known.y + counts * counts * more);
}

// Shares of the water under a film of foam and under thick foam, on average where so much is known of the strain, and (z)
// of the bubbles beside it that it does not hide. What is thick is there where the water is drawn together most.
vec3 mean_foam(vec2 known) {
    float shown = min(known.y, 1.0 - LEAST_UNSHOWN), left = inversesqrt(1.0 - shown);
    float start = foam_start - known.x * sqrt(shown / known.y);
    return vec3(normal(start * left), normal((start - foam_apart) * left), sqrt(LEAST_UNSHOWN / (1.0 - shown)));
}

// The same of what a level of the map holds; but where its texels are larger than what breaks and show less of the strain
// than is known otherwise, what that says.
vec3 foam_drawn(vec2 position, int level, float shown, vec3 otherwise) {
    vec4 birth = births[level];
    if (birth.y > 0.0 && shown >= 1.0 - birth.y) return otherwise;
    float foam = foam_level(position, level);
    if (birth.y == 0.0) return vec3(film_and_thick(foam, foam_thinning), 1.0);
    return vec3(foam, foam < LEAST ? 0.0 : normal(quantile(foam) - foam_apart * inversesqrt(birth.y)), birth.z);
}

// Where the map says what foam lies at a position. Behind a crest walls of bubbles are left farther than holes are, by the
// way that it spills to a deviation of the first layer, and part of that of the finest: outlines are torn along the walls.
vec2 torn(vec2 position, vec2[3] layers) { return position + (layers[0].x + FRAY * layers[1].x) * foam_spilled; }

// The level of the map that serves a pixel of `footprint` metres at a still-water position relative to the origin, and
// passes into the next one over its second half. It serves out to 0.8 of its half side, and pixels that are no larger than
// twice its texels.
float serving_level(vec2 position, float footprint) {
    float reach = max(abs(position.x), abs(position.y)) / (0.5 * float(FOAM_SIZE) * corners[0].z);
    return max(log2(max(reach / 0.8, 1e-6)) + 1.0, log2(max(0.5 * footprint / corners[0].z, 1e-6)));
}

// Whether the map shows there where the water breaks, and nothing else counts.
bool shows_breaking(float level) {
    int last = int(max(ceil(level - 0.5), 0.0));
    return last < FOAM_LEVELS && births[last].y == 0.0;
}

// Shares of the water under a film of foam and under thick foam at a position that a level serves, for a pixel that shows so
// much of the strain, and of what that says `otherwise`; and (z) of bubbles that it does not hide.
vec3 foam_at(vec2 position, float level, float shown, vec3 otherwise) {
    if (level >= float(FOAM_LEVELS)) return otherwise;
    int fine = int(clamp(floor(level), 0.0, float(FOAM_LEVELS - 1)));
    vec3 here = foam_drawn(position, fine, shown, otherwise);
    float t = smoothstep(0.5, 1.0, level - float(fine));
    if (level < 0.5 || t == 0.0) return here;
    return mix(here, fine + 1 < FOAM_LEVELS ? foam_drawn(position, fine + 1, shown, otherwise) : otherwise, t);
}

// The strength of foam at a position where the map is read where it lies, for a pixel of whose strain so much is known, its
// opacity, and bubbles: some are carried along, the others have stayed below the crest that broke.
vec3 foam_cover(vec2 position, vec2 lies, float level, vec2 known, bool from_mesh, vec2[3] layers) {
    vec3 otherwise = mean_foam(known);
    float shown = from_mesh ? 1.0 : known.y;  // the map is read at the middle of a pixel, which a triangle may not reach to
    vec3 lying = foam_at(lies, level, shown, otherwise), born = foam_at(position, level, shown, otherwise);
    vec4 pattern = pattern_of(lying.x, layers);
    float foam = opacity(vec2(covered(lying.x, pattern.xy), covered(lying.y, pattern.xy)));
    float carried = lying.z * bubbles_below(lying.x, pattern.zw), left = born.z * bubbles_below(born.x, pattern.zw);
    return vec3(lying.x, foam, mix(carried, left, LEFT_BELOW));
}

// The opacity of that alone, at a place beside one for which the rest is known.
float foam_opacity(vec2 position, float footprint, float level, vec2 known, bool from_mesh) {
    vec2 layers[3] = layers_at(position, footprint);
    vec3 lying = foam_at(torn(position, layers), level, from_mesh ? 1.0 : known.y, mean_foam(known));
    vec2 pattern = pattern_of(lying.x, layers).xy;
    return opacity(vec2(covered(lying.x, pattern), covered(lying.y, pattern)));
}
