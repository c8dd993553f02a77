#version 430
// Finds the visibility sample of each sample. An invocation takes the samples of a unit, up to 2 x 2 or 4 x 1 of a cell.
// They share a shading if they show the same water: one packed sample has the mean of their positions and footprints, and
// the mean and covariance of their triangles' slopes.
#include "common/group.glsl"
#include "surface/seen.glsl"
#include "surface/packed_sample.glsl"
#if HIDES
#include "surface/roughness.glsl"
#include "surface/reflection.glsl"
#include "foam/map.glsl"
#endif

layout(local_size_x = 64) in;
#if DIRECT
layout(FORMAT, binding = IMAGE_HDR) writeonly uniform image2D image;
#endif

uniform int chunk;
uniform int first_tile;  // first tile of this chunk

const int GROUPS = 4 / UNIT;  // work groups of a tile
const float TOGETHER = 0.75;  // steps between cells: largest distance of points on the same water
// Largest squared difference of slopes that share a shading, divided by the variance of their facets: where facets
// reflect only the sky, and in the sun's glitter. Glitter changes faster with slope the more standard deviations lie
// between the slope and the slope that mirrors the sun; beyond SUN_REACHES (squared deviations) it is too weak.
const float ALIKE = 2.0, ALIKE_IN_SUN = 0.1, SUN_REACHES = 20.0;
const float FOAMLESS = 2.5;        // deviations of the strain from breaking, from which there is hardly any foam

// Distance on still water between two rows of cells, for a level sea [m].
float level_step(VisibilitySample visible, float rows) {
    float far = distance(visible.relative, eye.xyz), up = max(abs(eye.y) - fall(visible.still), 1e-3 * far);
    float unit = 0.5 * float(picture.y) * length(vec3(view_projection[0].y, view_projection[1].y, view_projection[2].y));
    return far * far / (up * unit * rows);
}

shared uint packed_count[2], first_packed[2];  // of the two lists

#if HIDES
// Squared deviations of a triangle's slope from the slope that mirrors the sun, for facets with this slope variance.
float sun_deviations(VisibilitySample visible, float variance) {
    vec3 H = normalize(normalize(eye.xyz - visible.relative) + sun.xyz);
    vec2 off = -H.xz / max(H.y, 1e-3) - visible.face;
    return sun.y > -0.02 ? 2.0 * dot(off, off) / (variance + 2.0 * SUN_SLOPES) : SUN_REACHES;
}

// Largest squared difference from a triangle's slope at which the light is nearly the same, for facets of this
// variance.
float slope_tolerance(float from_sun, float variance) {
    return variance * (from_sun < SUN_REACHES ? ALIKE_IN_SUN / (1.0 + from_sun) : ALIKE);
}

// Visible area of the facets on a triangle, per unit area of sea; `coarse` is the covariance of their slopes.
float shown_area(VisibilitySample visible, vec3 coarse) {
    vec3 V = normalize(eye.xyz - visible.relative);
    return max(visible_area(max(facing(V, visible.face), 0.0), facing_deviation(V, leaning(V, coarse))), 1e-6);
}
#endif

// A visibility sample, and what decides whether it shares a shading.
struct Candidate {
    VisibilitySample visible;
    float reach;      // largest distance of points on the same water [m]
    float tolerance;  // `slope_tolerance` of its triangle
    float inverse;    // 1 / `shown_area` of its triangle, or 1 where the sun's glitter can't show
    bool in_sun;      // whether glitter can show
};

Candidate find_candidate(Strip strip, uint number, vec2 point) {
    VisibilitySample own = visibility_sample(find_triangle(number), point, 1.0 / vec2(strip.parts));
    float reach = TOGETHER * max(length(own.dx) + length(own.dy), level_step(own, float(strip.parts.y)));
    Candidate found = Candidate(own, reach, 1.0, 1.0, false);
#if HIDES
    vec3 coarse = slopes_beyond(MESH_BLUR / own.spacing).rgb;
    float variance = coarse.x + coarse.y, from_sun = sun_deviations(own, variance);
    found.tolerance = slope_tolerance(from_sun, variance);
    found.in_sun = from_sun < SUN_REACHES;
    if (found.in_sun) found.inverse = 1.0 / shown_area(own, coarse);
#endif
    return found;
}

// What a packed sample has the mean of: position and slope, displaced position and strain, footprint, and squares of the
// slope with `inverse`.
mat4 terms_of(Candidate one) {
    VisibilitySample v = one.visible;
    vec3 squares = vec3(v.face * v.face, v.face.x * v.face.y);
    return mat4(vec4(v.still, v.face), vec4(v.relative, v.strain), vec4(v.dx, v.dy), vec4(squares, one.inverse));
}

// Of each unit, in shared memory: in registers they would spill on Intel, and leave AMD few waves.
shared vec4 sums[4][64];  // sums[k][unit]: neighbours lie side by side, in banks of their own
shared vec4 firsts[64];  // still and face of the sample that leads
shared vec4 limits[64];  // its reach, tolerance and spacing, and its list, or IN_SUN
shared float counts[64];  // samples that share the shading

mat4 sum_of(int unit) { return mat4(sums[0][unit], sums[1][unit], sums[2][unit], sums[3][unit]); }

void keep_sum(int unit, mat4 sum) {
    for (int k = 0; k < 4; ++k) sums[k][unit] = sum[k];
}

const float IN_SUN = -1.0;  // where the sun's glitter can show

// Whether a sample may share the shading of a unit: it is near the sample that leads, and their slopes are similar.
bool may_share(int unit, Candidate other) {
    vec4 limit = limits[unit], apart = firsts[unit] - vec4(other.visible.still, other.visible.face);
    return length(apart.xy) <= max(limit.x, other.reach) && dot(apart.zw, apart.zw) <= min(limit.y, other.tolerance);
}

#if HIDES
// Whether two units of a pixel with `rows` rows of cells may share a shading: not in the glitter; not in pixels of more than
// two rows, which would flicker; and not where foam may show in pixels of two rows, which are seen steeply.
bool may_pair(int one, int other, int rows) {
    vec4 a = limits[one], b = limits[other];
    if (min(counts[one], counts[other]) == 0.0 || rows > 2 || a.w != b.w || a.w == IN_SUN) return false;
    float strain = min(sums[1][one].w / counts[one], sums[1][other].w / counts[other]);
    if (rows == 2 && foam_steepness * strain < foam_start + FOAMLESS) return false;
    vec4 apart = sums[0][one] / counts[one] - sums[0][other] / counts[other];
    return length(apart.xy) <= min(a.x, b.x) && dot(apart.zw, apart.zw) <= min(a.y, b.y);
}
#endif

// Returns the number of the list that takes a sample of sea: 1 where the foam map does not resolve breaking.
uint list_of(VisibilitySample visible) {
#if HIDES
    float x = length(visible.dx), y = length(visible.dy), footprint = max(min(x, y), max(x, y) / anisotropy);
    return shows_breaking(serving_level(visible.still, footprint)) ? 0u : 1u;
#else
    return 0u;
#endif
}

// Writes a packed sample at an index of a list. The first one of each row of the dispatch that shades adds the row.
void store(uint list, uint index, PackedSample made) {
    packed_samples[packed_at(list, index)] = made;
    if (index % PACKED_IN_ROW == 0u) atomicMax(shadings[2u * uint(chunk) + list].groups[1], index / PACKED_IN_ROW + 1u);
}

// Adds a packed sample to a list.
void add(uint list, PackedSample made) { store(list, atomicAdd(shadings[2u * uint(chunk) + list].count, 1u), made); }

void main() {
    int tile = first_tile + int(gl_WorkGroupID.x) / GROUPS, t = int(gl_LocalInvocationIndex);
    Strip strip = strips[strip_of_tile(tile)];
    if (t < 2) packed_count[t] = 0u;
    wait_for_group();
    int rows = strip.rows > strip.parts.y ? 2 : 1, columns = UNIT / rows, bits = findMSB(columns);  // of a unit
    // Units in the order of memory: in blocks of 4 x 4 samples.
    int unit = 64 * (int(gl_WorkGroupID.x) % GROUPS) + t, block = unit * UNIT / 16, of_block = unit % (16 / UNIT);
    ivec2 within = ivec2(columns * of_block & 3, rows * (columns * of_block >> 2));
    ivec2 corner = tile_corner(strip, tile) + 4 * ivec2(block % 4, block / 4) + within;

    // The first sample of a unit that shows water leads those that may share its shading; the others lead themselves.
    float count = 0.0;
    uint leader, list = 0u;
    for (int k = 0; k < UNIT; ++k) {
        ivec2 at = corner + ivec2(k & columns - 1, k >> bits);
        uint slot = sample_at(strip, at), number = seen[slot].x;
#if DIRECT
        if (number == NOTHING) imageStore(image, at, vec4(0.0));
#endif
        if (number == NOTHING) continue;
        vec2 point = sample_point(strip, at);
        if (number >= BUOY_TRIANGLES) {
            VisibilitySample own = flat_sample(vec2(0.0), vec3(0.0), vec2(0.0), vec2(0.0), 1.0, point);
            add(0u, pack(own, slot, 1u));
            continue;
        }
        Candidate found = find_candidate(strip, number, point);
        if (count == 0.0) {
            keep_sum(t, terms_of(found));
            leader = slot;
            list = list_of(found.visible);
            firsts[t] = vec4(found.visible.still, found.visible.face);
            limits[t] = vec4(found.reach, found.tolerance, found.visible.spacing, found.in_sun ? IN_SUN : float(list));
        } else if (may_share(t, found)) {
            keep_sum(t, sum_of(t) + terms_of(found));
            seen[slot] = uvec2(0u);  // no light; shade.comp writes the light of samples that lead
        } else {
            add(list_of(found.visible), pack(found.visible, slot, 1u));
            continue;
        }
        count += 1.0;
    }
    bool leads = count > 0.0, paired = false;
#if HIDES
    counts[t] = count;
    wait_for_group();
    if (strip.columns * strip.rows > UNIT && may_pair(t, t ^ 1, strip.parts.y)) {
        paired = leads = (t & 1) == 0;
        if (leads) count += counts[t + 1];
        else seen[leader] = uvec2(0u);
    }
#endif
    uint index = leads ? atomicAdd(packed_count[list], 1u) : 0u;
    wait_for_group();
    if (t < 2) first_packed[t] = atomicAdd(shadings[2 * chunk + t].count, packed_count[t]);
    wait_for_group();
    if (!leads) return;

    mat4 mean = sum_of(t);
    if (paired) mean += sum_of(t + 1);
    mean /= count;
    VisibilitySample own = flat_sample(mean[0].xy, mean[1].xyz, mean[2].xy, mean[2].zw, limits[t].z, vec2(0.0));
    own.face = mean[0].zw;
    own.strain = mean[1].w;
#if UNIT > 1
#if HIDES
    if (limits[t].w == IN_SUN) own.grazing = mean[3].w * shown_area(own, slopes_beyond(MESH_BLUR / own.spacing).rgb);
    else if (strip.parts.y > 2)  // samples side by side cover more than a footprint (docs/theory/samples.md)
        own.dx *= sqrt(1.0 + (count * count - 1.0) / float(UNIT * UNIT));
    if (paired && strip.parts.y > 1) own.dy *= 2.0;
#endif
    vec3 covariance = mean[3].xyz - vec3(own.face * own.face, own.face.x * own.face.y);
    own.scatter = vec3(max(covariance.xy, 0.0), covariance.z);
#endif
    store(list, first_packed[list] + index, pack(own, leader, uint(count)));
}
