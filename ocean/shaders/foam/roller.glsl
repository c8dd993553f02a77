// Rollers: the white water that tumbles down the front of a breaking crest. The foam map holds their thickness, so that they are
// as smooth as the strain on which breaking is judged; a pattern adds lumps of all sizes down to the footprint.
#include "foam/map.glsl"
#include "foam/patterns.glsl"
layout(binding = SAMPLER_FOAM) uniform sampler2DArray foam_map;

const float LUMPINESS = 0.35;  // height of the tallest lumps above the mean and depth of creases, relative to the thickness
const float TORN = 0.45;       // displacement of outlines per deviation of large lumps, relative to `foam_spilled`
const float SMALLER = 5.0;     // ratio of the sizes of lumps that tear outlines and lumps in the roller
const float LEANING = 1.0;     // displacement of a roller in its direction, relative to its thickness

// Returns a level's texel and four numbers at a position: all foam, active foam, and the roller (east, south) [m].
vec4 foam_texel(vec2 position, int level) {
    vec2 texel = vec2(wrap(windows[level].xy)) + (position - corners[level].xy) / corners[level].z;
    return textureLod(foam_map, vec3(texel / float(FOAM_SIZE), level), 0.0);
}

// Returns the normally distributed pattern of lumps, 1 / `scale` of its size, filtered to a footprint [m].
float lump_value(vec2 position, float footprint, float scale) {
    float lod = log2(max(footprint * scale * float(textureSize(foam_patterns, 0).x) / LUMPS, 1.0));
    return textureLod(foam_patterns, vec3(scale * (position / LUMPS + foam_tumbled), 0.0), lod).r;
}

// Returns the roller (east, south) at a position [m], as thick as the vector is long, for a footprint [m]. Its outline is torn by
// large lumps. It fades out with the last level that resolves breaking.
vec2 roller_at(vec2 position, float footprint) {
    float level = max(serving_level(position, footprint), 0.0);
    if (level >= foam_judged + 1.0) return vec2(0.0);
    vec2 lies = position + TORN * lump_value(position, footprint, 1.0) * foam_spilled;
    return min(2.0 * (foam_judged + 1.0 - level), 1.0) * foam_texel(lies, int(level)).zw;
}

// Returns the ratio of a roller's height in lumps to its thickness, 1 on average over a footprint [m].
float lumps_at(vec2 position, float footprint) {
    float lump = lump_value(position, footprint, SMALLER);
    return 1.0 + LUMPINESS * lump * inversesqrt(1.0 + lump * lump);
}

// Returns the displacement [m] of the water's surface by the roller at a position.
vec3 rolled(vec2 position, float footprint) {
    vec2 roller = roller_at(position, footprint);
    if (roller == vec2(0.0)) return vec3(0.0);
    float lumps = lumps_at(position, footprint);
    return vec3(LEANING * roller, length(roller) * lumps).xzy;
}
