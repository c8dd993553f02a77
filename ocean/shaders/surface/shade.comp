#version 430
// The light of the sea from what its samples show. A work group shades a tile of 16 x 16 samples: its invocations decide which
// samples are worth a shading of their own, shade those in turn, and sum up the pixels. docs/theory.md says which those are.
#include "surface/seen.glsl"
#include "surface/light.glsl"
#if BUOY
#include "buoy/light.glsl"
#endif

layout(local_size_x = 64) in;

layout(FORMAT, binding = IMAGE_LIGHT) writeonly uniform image2D image;

const int ALL = TILE * TILE;
const int NONE = -1;

#if HARDWARE
layout(binding = SAMPLER_PLACES) uniform sampler2D places;  // what places.frag has drawn, with a sample a pixel

vec4 place_at(ivec2 pixel) { return texelFetch(places, min(pixel, picture - 1), 0); }

vec3 position_at(ivec2 pixel, float distance) {
    vec2 uv = (vec2(pixel) + 0.5) / vec2(picture);
    return eye.xyz + distance * normalize((clip_to_ray * vec4(2.0 * uv - 1.0, 1.0, 1.0)).xyz);
}
#endif

const float TOGETHER = 1.5;  // steps across a cell within which places lie on the same water

shared int shaded_by[ALL];   // the sample whose light each one takes
shared int alone[ALL];       // samples that are shaded by themselves
shared uint alone_count;
shared uint number_of[ALL];  // triangles that samples show
shared vec3 light_of[ALL];

// The number of the triangle that a sample shows; from here on it shows none.
uint take_number(Strip strip, ivec2 place) {
    uint index = sample_at(strip, place);
#if HARDWARE
    float distance = place_at(place).z;
    uint number = distance > 0.0 ? 0u : NOTHING;
#if BUOY
    uvec2 thing = seen[index];
    seen[index] = uvec2(NOTHING);
    float ahead = (view_projection * vec4(position_at(place, distance), 1.0)).w;
    if (thing.x != NOTHING && (number == NOTHING || uintBitsToFloat(~thing.y) * ahead > 1.0)) number = thing.x;
#endif
#else
    uint number = seen[index].x;
    seen[index] = uvec2(NOTHING);
#endif
    return number;
}

// The place that a sample of the sea shows.
Place find_place(Strip strip, ivec2 place, uint number) {
#if HARDWARE
    vec4 at = place_at(place);
    return Place(at.xy, position_at(place, at.z), vec2(at.w, 0.0), vec2(0.0, at.w), 0.0, vec2(0.0), vec3(0.0), 0.0, vec2(place) + 0.5);
#else
    Triangle triangle = find_triangle(number);
    vec2 point = sample_point(strip, place);
#ifdef STAGE
    stage_triangle = triangle;
    stage_point = point;
#endif
    return place_on(triangle, point, 1.0 / vec2(strip.parts));
#endif
}

// What a sample shows by itself.
vec4 light_at(Strip strip, ivec2 place, uint number) {
#if COUNTS
    return vec4(float(number + 1u), 0.0, 0.0, 1.0);  // as surface/cover.glsl counts
#else
#if BUOY
    if (number >= THING) return buoy_light(number - THING, sample_point(strip, place));
#endif
    return sea_light(find_place(strip, place, number));
#endif
}

// Shades the samples of a unit that show the same water as its first one, at once: at the middle of their places, with the mean
// of their triangles' slopes, and what these scatter by. The others go by themselves.
void shade_unit(Strip strip, ivec2 corner, ivec2 unit) {
    uint numbers[UNIT];
    int first = -1;
    for (int k = 0; k < UNIT; ++k) {
        ivec2 within = unit + ivec2(k % UNIT_COLUMNS, k / UNIT_COLUMNS);
        int i = TILE * within.y + within.x;
        numbers[k] = take_number(strip, corner + within);
        number_of[i] = numbers[k];
        shaded_by[i] = numbers[k] == NOTHING ? NONE : i;
        if (numbers[k] == NOTHING) continue;
#if BUOY || COUNTS
        alone[atomicAdd(alone_count, 1u)] = i;
#else
        if (first < 0) first = k;
#endif
    }
    if (first < 0) return;
    ivec2 of_first = unit + ivec2(first % UNIT_COLUMNS, first / UNIT_COLUMNS);
    int by = TILE * of_first.y + of_first.x;
    Place shown = find_place(strip, corner + of_first, numbers[first]);
#if UNIT > 1
    vec2 origin = shown.still, face = shown.face;
    vec3 relative = shown.relative, squares = vec3(shown.face * shown.face, shown.face.x * shown.face.y);
    float count = 1.0, reach = TOGETHER * (length(shown.dx) + length(shown.dy));
    for (int k = first + 1; k < UNIT; ++k) {
        if (numbers[k] == NOTHING) continue;
        ivec2 within = unit + ivec2(k % UNIT_COLUMNS, k / UNIT_COLUMNS);
        int i = TILE * within.y + within.x;
        Place other = find_place(strip, corner + within, numbers[k]);
        if (distance(other.still, origin) > max(reach, TOGETHER * (length(other.dx) + length(other.dy)))) {
            alone[atomicAdd(alone_count, 1u)] = i;
            continue;
        }
        shaded_by[i] = by;
        count += 1.0;
        shown.still += other.still;
        shown.pixel += other.pixel;
        relative += other.relative;
        face += other.face;
        squares += vec3(other.face * other.face, other.face.x * other.face.y);
        shown.strain += other.strain;
    }
    float share = 1.0 / count;
    shown.still *= share;
    shown.relative = share * relative;
    shown.pixel *= share;
    shown.strain *= share;
    shown.face = share * face;
    shown.scatter = max(share * squares - vec3(shown.face * shown.face, shown.face.x * shown.face.y), vec3(0.0, 0.0, -1e9));
#endif
    light_of[by] = sea_light(shown).rgb;
}

void main() {
    int group = int(gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x), t = int(gl_LocalInvocationIndex);
    if (group >= tile_count) return;
    int s = 0;
    while (s + 1 < strip_count && group >= strips[s + 1].first_tile) ++s;
    Strip strip = strips[s];
    int tile = group - strip.first_tile;
    ivec2 corner = TILE * ivec2(tile % strip.tiles_across, tile / strip.tiles_across);
    if (t == 0) alone_count = 0u;
    memoryBarrierShared();
    barrier();

    const int ACROSS = TILE / UNIT_COLUMNS;
    for (int i = t; i < ALL / UNIT; i += 64) shade_unit(strip, corner, ivec2(UNIT_COLUMNS * (i % ACROSS), UNIT_ROWS * (i / ACROSS)));
    memoryBarrierShared();
    barrier();

#if UNIT > 1 || BUOY || COUNTS
    for (uint k = uint(t); k < alone_count; k += 64u) {
        int i = alone[k];
        ivec2 place = corner + ivec2(i % TILE, i / TILE);
        light_of[i] = light_at(strip, place, number_of[i]).rgb;
    }
    memoryBarrierShared();
    barrier();
#endif

    ivec2 count = ivec2(strip.columns, strip.rows), pixels = TILE / count;
    for (int p = t; p < pixels.x * pixels.y; p += 64) {
        ivec2 own = ivec2(p % pixels.x, p / pixels.x), pixel = corner / count + own + ivec2(0, strip.bottom);
        vec4 sum = vec4(0.0);
        for (int y = 0; y < count.y; ++y)
            for (int x = 0; x < count.x; ++x) {
                int by = shaded_by[TILE * (own.y * count.y + y) + own.x * count.x + x];
                if (by != NONE) sum += vec4(light_of[by], 1.0);
            }
        if (pixel.x < picture.x && pixel.y < strip.top) imageStore(image, pixel, sum / float(count.x * count.y));
    }
}
