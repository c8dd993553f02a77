#version 430
// What of the sea the samples of a picture show, and which of them are shaded at once. A work group takes a quarter of a tile.
// Each invocation finds the place that one sample shows. Then those of a unit, up to 2 x 2 of a cell, that show the same water are
// put together: the middle of their places, the mean of their triangles' slopes, and what these scatter by.
#include "surface/seen.glsl"
#include "surface/record.glsl"
#if HIDES
#include "surface/roughness.glsl"
#include "surface/reflection.glsl"
#endif

layout(local_size_x = 64) in;

#if COUNTS
layout(rgba32f, binding = IMAGE_LIGHT) writeonly uniform image2D image;
#endif

uniform int first_tile;  // of the chunk
uniform int chunk;

const int QUARTERS = 4;
const int UNITS_ACROSS = TILE / UNIT_COLUMNS;
const float TOGETHER = 1.5;  // steps from cell to cell within which places lie on the same water
// By how much slopes may differ to be shaded at once, squared, over the variance of their facets: of what mirrors the sky, and of
// what mirrors the sun, which is the steeper over slopes the more deviations its facets are away, up to so many squared.
const float ALIKE = 2.0, ALIKE_IN_SUN = 0.1, SUN_REACHES = 20.0;

shared uint first_groups[MAX_LEVELS + 1];  // near at hand

// The number of the triangle that a sample shows, and its place.
uint find_seen(Strip strip, ivec2 place, uint slot, out Place found) {
    uint number = seen[slot].x;
    vec2 point = sample_point(strip, place);
    found = Place(vec2(0.0), vec3(0.0), vec2(0.0), vec2(0.0), 1.0, vec2(0.0), vec3(0.0), 1.0, 0.0, point);
    if (number < THING) {
        uint group = number / uint(BLOCK_TRIANGLES);
        int level = 0;
        while (level + 1 < level_count && group >= first_groups[level + 1]) ++level;
        found = place_on(find_triangle(number, level), point, 1.0 / vec2(strip.parts));
    }
    if (any(greaterThanEqual(place / ivec2(strip.columns, strip.rows), ivec2(picture.x, strip.top - strip.bottom)))) number = NOTHING;
    return number;
}

// How far apart on still water two rows of cells lie on a level sea there [m].
float level_step(Place place, float rows) {
    float far = distance(place.relative, eye.xyz), up = max(abs(eye.y) - fall(place.still), 1e-3 * far);
    float unit = 0.5 * float(picture.y) * length(vec3(view_projection[0].y, view_projection[1].y, view_projection[2].y));
    return far * far / (up * unit * rows);
}

#if HIDES
// Steps on still water across a cell, of a plane through a place with the mean slope of several triangles, and their strain; no
// longer together than the longest of them, for that plane may be seen from its edge.
void cross_cell(inout Place place, Strip strip, float longest) {
    vec3 ray = (clip_to_ray * vec4(2.0 * place.pixel / vec2(picture) - 1.0, 1.0, 1.0)).xyz, away = place.relative - eye.xyz;
    vec3 right = 2.0 / float(picture.x * strip.parts.x) * clip_to_ray[0].xyz, up = 2.0 / float(picture.y * strip.parts.y) * clip_to_ray[1].xyz;
    vec3 normal = vec3(-place.face.x, 1.0, -place.face.y);
    float far = length(away) / length(ray), side = eye.w > 0.0 ? 1.0 : -1.0;  // from below it is seen from below
    float facing_ = side * max(side * dot(normal, away), 1e-3 * length(away) * length(normal));
    place.dx = (far * right - away * (far * dot(normal, right) / facing_)).xz / (1.0 + 0.5 * place.strain);
    place.dy = (far * up - away * (far * dot(normal, up) / facing_)).xz / (1.0 + 0.5 * place.strain);
    float shorter = min(longest / max(length(place.dx) + length(place.dy), 1e-9), 1.0);
    place.dx *= shorter;
    place.dy *= shorter;
}
#endif

shared vec2 stills[64];
shared float reaches[64];
shared uint numbers[64];
shared uint record_count, first_record;
#if UNIT > 1
shared vec3 relatives[64];
shared vec3 slopes_of[64];  // face, and strain
shared float alike[64];     // how far slopes may be apart, squared
shared float shown_of[64];  // what facets about a triangle's slope show to the eye

#if HIDES
// How far a slope may be from a triangle's, squared, for the light of both to be alike, where facets scatter by a variance.
float slopes_alike(Place place, float variance) {
    vec3 H = normalize(normalize(eye.xyz - place.relative) + sun.xyz);
    vec2 off = -H.xz / max(H.y, 1e-3) - place.face;
    float squared = 2.0 * dot(off, off) / (variance + 2.0 * SUN_SLOPES);
    return variance * (squared < SUN_REACHES && sun.y > -0.02 ? ALIKE_IN_SUN / (1.0 + squared) : ALIKE);
}

// What facets about the slope of a triangle show to the eye.
float shown_area(Place place, vec3 coarse) {
    vec3 V = normalize(eye.xyz - place.relative);
    return max(visible_area(max(facing(V, place.face), 0.0), facing_deviation(V, leaning(V, coarse))), 1e-6);
}
#endif

// Whether two samples show the same water: near by, and as seen in the light of the same facets.
bool are_together(int one, int other) {
    vec2 apart = slopes_of[one].xy - slopes_of[other].xy;
    return distance(stills[one], stills[other]) <= max(reaches[one], reaches[other]) && dot(apart, apart) <= min(alike[one], alike[other]);
}
#endif

void main() {
    int tile_number = first_tile + int(gl_WorkGroupID.x) / QUARTERS;
    int t = int(gl_LocalInvocationIndex), s = 0;
    while (s + 1 < strip_count && tile_number >= strips[s + 1].first_tile) ++s;
    Strip strip = strips[s];
    int tile = tile_number - strip.first_tile;
    ivec2 corner = TILE * ivec2(tile % strip.tiles_across, tile / strip.tiles_across);
    if (t <= level_count) first_groups[t] = first_group[t];
    memoryBarrierShared();
    barrier();
    // Invocations go through units: those of one lie next to each other.
    int unit = t / UNIT, part = t % UNIT, of_tile = int(gl_WorkGroupID.x) % QUARTERS * (64 / UNIT) + unit;
    ivec2 within = ivec2(UNIT_COLUMNS * (of_tile % UNITS_ACROSS) + part % UNIT_COLUMNS, UNIT_ROWS * (of_tile / UNITS_ACROSS) + part / UNIT_COLUMNS);
    uint slot = sample_at(strip, corner + within);
    Place own;
    uint number = find_seen(strip, corner + within, slot, own);
#if COUNTS
    ivec2 pixel = ivec2(own.pixel);
    uint count = seen[slot].x + 1u;  // as surface/cover.glsl counts
    if (pixel.x < picture.x && pixel.y < picture.y) imageStore(image, pixel, count > 0u ? vec4(float(count), 0.0, 0.0, 1.0) : vec4(0.0));
    seen[slot] = uvec2(NOTHING);
#else
    bool is_sea = number < THING;
    numbers[t] = number;
    stills[t] = own.still;
    reaches[t] = is_sea ? TOGETHER * max(length(own.dx) + length(own.dy), level_step(own, float(strip.parts.y))) : 0.0;
#if UNIT > 1
    relatives[t] = own.relative;
    slopes_of[t] = vec3(own.face, own.strain);
#if HIDES
    vec3 coarse = slopes_beyond(MESH_BLUR / own.spacing).rgb;
    alike[t] = is_sea ? slopes_alike(own, coarse.x + coarse.y) : 0.0;
    shown_of[t] = shown_area(own, coarse);
#else
    alike[t] = shown_of[t] = 1.0;
#endif
#endif
    if (t == 0) record_count = 0u;
    memoryBarrierShared();
    barrier();

    // The first sample of the unit that shows water takes along those that are near; the others go by themselves.
    int first = UNIT * unit;
    while (first < t && numbers[first] >= THING) ++first;
    bool leads = number != NOTHING;
#if UNIT > 1
    if (is_sea && first < t) leads = !are_together(first, t);
#endif
    uint record = leads ? atomicAdd(record_count, 1u) : 0u;
    memoryBarrierShared();
    barrier();
    if (t == 0) {
        first_record = atomicAdd(shadings[chunk].count, record_count);
        atomicMax(shadings[chunk].groups[1], (first_record + record_count + SHADED_AT_ONCE - 1u) / SHADED_AT_ONCE);
    }
    memoryBarrierShared();
    barrier();
#ifdef STAGE
    seen[slot] = uvec2(NOTHING);
#else
    seen[slot] = uvec2(0u);  // no light, of no samples; where there is some, shade.comp writes it
#endif
    if (!leads) return;

    float count = 1.0, grazing = 1.0;
#if UNIT > 1
    if (is_sea && first == t) {
        float inverse = 1.0 / shown_of[t], longest = reaches[t];
        vec3 slopes_ = vec3(own.face, own.strain), squares = vec3(own.face * own.face, own.face.x * own.face.y);
        for (int k = t + 1; k < UNIT * (unit + 1); ++k) {
            if (numbers[k] >= THING || !are_together(t, k)) continue;
            count += 1.0;
            own.still += stills[k];
            own.relative += relatives[k];
            slopes_ += slopes_of[k];
            inverse += 1.0 / shown_of[k];
            longest = max(longest, reaches[k]);
            squares += vec3(slopes_of[k].xy * slopes_of[k].xy, slopes_of[k].x * slopes_of[k].y);
        }
        float share = 1.0 / count;
        own.still *= share;
        own.relative *= share;
        own.face = share * slopes_.xy;
        own.strain = share * slopes_.z;
        vec3 square = vec3(own.face * own.face, own.face.x * own.face.y);
#if HIDES
        if (count > 1.0) cross_cell(own, strip, longest);
        grazing = share * inverse * shown_area(own, coarse);
#endif
        own.scatter = vec3(max(share * squares.xy - square.xy, 0.0), share * squares.z - square.z);
    }
#endif
    uint rest = packHalf2x16(vec2(own.strain, log2(max(own.spacing, 1e-4))));
    records[first_record + record] =
        Record(own.still, own.dx, own.dy, own.face, own.relative, slot, own.scatter, rest, number, packHalf2x16(vec2(count, grazing)), own.pixel);
#endif
}
