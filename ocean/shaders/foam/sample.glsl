// Reads the foam map, and applies the pattern of foam to it.
#include "common/view.glsl"
#include "foam/roller.glsl"
#include "foam/pattern.glsl"
#include "foam/optics.glsl"

const float LEAST_UNSHOWN = 0.05;  // minimum unknown fraction of the variance of the strain on which breaking is judged
const float FRAY = 0.6;            // weight of the finest layer in the displacement of foam, relative to the first layer's
const float LEFT_BELOW = 0.6;      // fraction of the bubbles that stays where the water broke

// Returns the foam, 0 to 1, of a level of the map at a position, interpolated linearly.
float foam_level(vec2 position, int level) {
    return min(foam_texel(position, level).r / foam_gain, 1.0);
}

// Returns the strain c (Dxx + Dzz) of some waves, and (y) its variance, in deviations of the strain on which breaking is
// judged; `left` is the variance of Dxx + Dzz of all other waves.
vec2 in_deviations(float strain, float left) {
    float unit = choppiness * foam_steepness;
    return vec2(foam_steepness * strain, max(unit * unit * (strain_variance - left), 1e-9));
}

// Returns the known part of the strain on which breaking is judged, and its variance, refined by the strain of more waves, of
// which only the longer ones count. tests/reference/foam.py has the same function, and `mean_foam`.
vec2 refine_strain(vec2 known, vec2 strain) {
    float more = strain.y - known.y, counts = more > 0.0 ? min((1.0 - known.y) / more, 1.0) : 0.0;
    return vec2(mix(known.x, strain.x, counts), known.y + counts * counts * more);
}

// Returns the expected fractions of the water under a film of foam and under thick foam, given a known part of the strain, and
// (z) the fraction of bubbles around the foam that is not hidden. Thick foam lies where the water is compressed most.
vec3 mean_foam(vec2 known) {
    float shown = min(known.y, 1.0 - LEAST_UNSHOWN), left = inversesqrt(1.0 - shown);
    float start = foam_start - known.x * sqrt(shown / known.y);
    return vec3(normal(start * left), normal((start - foam_apart) * left), sqrt(LEAST_UNSHOWN / (1.0 - shown)));
}

// Returns `mean_foam` from a level of the map; if its texels are too large to resolve breaking and show less of the strain
// than is known, returns `otherwise`, the result for the known part.
vec3 foam_drawn(vec2 position, int level, float shown, vec3 otherwise) {
    vec4 birth = births[level];
    if (birth.y > 0.0 && shown >= 1.0 - birth.y) return otherwise;
    float foam = foam_level(position, level);
    if (birth.y == 0.0) return vec3(film_and_thick(foam, foam_thinning), 1.0);
    return vec3(foam, foam < LEAST ? 0.0 : normal(quantile(foam) - foam_apart * inversesqrt(birth.y)), birth.z);
}

// Returns the position at which the map is read for a position. A crest leaves bubble walls farther behind than holes, by
// foam_spilled per standard deviation of the first layer, and by part of it for the finest: outlines are torn along walls.
vec2 torn(vec2 position, vec2[3] layers) { return position + (layers[0].x + FRAY * layers[1].x) * foam_spilled; }

// Returns the fractions of the water under a film of foam and under thick foam at a position and a level, and (z) of bubbles
// that are not hidden, for a pixel that shows a fraction `shown` of the strain. `otherwise` is the result from that alone.
vec3 foam_at(vec2 position, float level, float shown, vec3 otherwise) {
    if (level >= float(FOAM_LEVELS)) return otherwise;
    int fine = int(max(level, 0.0)), last = fine;
    float t = level < 0.5 ? 0.0 : smoothstep(0.5, 1.0, level - float(fine)), weight = 1.0 - t;
    if (t > 0.0) ++last;
    vec3 sum = vec3(0.0);
    do {  // a loop, because a second copy of its body spills registers on Intel
        sum += weight * (fine < FOAM_LEVELS ? foam_drawn(position, fine, shown, otherwise) : otherwise);
        weight = t;
    } while (++fine <= last);
    return sum;
}

// Returns strength and opacity of foam at a position, and the fraction of bubbles below, for a pixel with a known part of the
// strain. The map is read at `lies`; where it resolves breaking, some of the bubbles move with the foam, and the others
// stay where the crest broke.
vec3 foam_cover(vec2 position, vec2 lies, float level, vec2 known, bool from_mesh, vec2[3] layers) {
    vec3 otherwise = mean_foam(known);
    float shown = from_mesh ? 1.0 : known.y;  // the triangle may not reach the pixel's centre, where the map is read
    vec3 lying = foam_at(lies, level, shown, otherwise), born = lying;
    int finest = int(max(level, 0.0));
    if (finest < FOAM_LEVELS && births[finest].y == 0.0) born = foam_at(position, level, shown, otherwise);
    vec4 pattern = pattern_of(lying.x, layers);
    vec2 white = lying.xy + foam_streaks * (1.0 - lying.xy);
    float foam = opacity(vec2(covered(white.x, pattern.xy), covered(white.y, pattern.xy)));
    float carried = lying.z * bubbles_below(lying.x, pattern.zw), left = born.z * bubbles_below(born.x, pattern.zw);
    return vec3(white.x, foam, mix(carried, left, LEFT_BELOW));
}

// Returns the covariance of slopes around foam of a given strength, for a pixel served by a level. A breaker removes ripples for
// seconds; the factor on their variance is 1 on average over the sea. Scars fade out with the last level that resolves breaking.
vec3 scarred(vec3 covariance, float foam, float level) {
    float ripples = min(slopes_of_all.w / max(covariance.x + covariance.y, 1e-9), 1.0);
    float left = foam_ripples * (1.0 - CALMED * foam / (foam + SCAR));
    float fades = clamp(foam_judged + 0.5 - level, 0.0, 1.0);
    return covariance * (1.0 + ripples * fades * (left - 1.0));
}
