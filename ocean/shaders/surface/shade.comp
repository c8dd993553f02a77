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

shared uint numbers[ALL];
shared int shaded_by[ALL];    // the sample whose light each one takes
shared int wanted[ALL];       // samples that are shaded
shared uint wanted_count;
shared vec3 light_of[ALL];

// What a sample shows.
vec4 light_at(Strip strip, ivec2 place, uint number) {
#if COUNTS
    return vec4(float(number + 1u), 0.0, 0.0, 1.0);  // as surface/cover.glsl counts
#else
    vec2 count = vec2(strip.columns, strip.rows);
    vec2 point = (vec2(place) + sample_offset(strip, place)) / count + vec2(0.0, strip.bottom);
    vec2 cell = 1.0 / vec2(strip.parts);
#if BUOY
    if (number >= THING) return buoy_light(number - THING, point);
#endif
#if HARDWARE
    vec4 at = place_at(place);
    return sea_light(Place(at.xy, position_at(place, at.z), vec2(at.w, 0.0), vec2(0.0, at.w), vec3(0.0), vec3(0.0), 0.0, point));
#else
    Triangle triangle = find_triangle(number);
#ifdef STAGE
    stage_triangle = triangle;
    stage_point = point;
#endif
    return sea_light(place_on(triangle, point, cell));
#endif
#endif
}

// The number of the triangle that a sample shows; from here on it shows none.
uint take_number(Strip strip, ivec2 place) {
    int index = sample_at(strip, place);
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

void main() {
    int group = int(gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x), t = int(gl_LocalInvocationIndex);
    if (group >= tile_count) return;
    int s = 0;
    while (s + 1 < strip_count && group >= strips[s + 1].first_tile) ++s;
    Strip strip = strips[s];
    int tile = group - strip.first_tile;
    ivec2 corner = TILE * ivec2(tile % strip.tiles_across, tile / strip.tiles_across);
    if (t == 0) wanted_count = 0u;
    memoryBarrierShared();
    barrier();

    for (int i = t; i < ALL; i += 64) {
        uint number = take_number(strip, corner + ivec2(i % TILE, i / TILE));
        shaded_by[i] = number == NOTHING ? NONE : i;
        numbers[i] = number;
        if (number != NOTHING) wanted[atomicAdd(wanted_count, 1u)] = i;
    }
    memoryBarrierShared();
    barrier();

    for (uint k = uint(t); k < wanted_count; k += 64u) {
        int i = wanted[k];
        light_of[i] = light_at(strip, corner + ivec2(i % TILE, i / TILE), numbers[i]).rgb;
    }
    memoryBarrierShared();
    barrier();

    ivec2 count = ivec2(strip.columns, strip.rows), pixels = TILE / count;
    for (int p = t; p < pixels.x * pixels.y; p += 64) {
        ivec2 own = ivec2(p % pixels.x, p / pixels.x), pixel = corner / count + own + ivec2(0, strip.bottom);
        vec4 sum = vec4(0.0);
        for (int i = 0; i < count.x * count.y; ++i) {
            ivec2 place = own * count + ivec2(i % count.x, i / count.x);
            int by = shaded_by[TILE * place.y + place.x];
            if (by != NONE) sum += vec4(light_of[by], 1.0);
        }
        if (pixel.x < picture.x && pixel.y < strip.top) imageStore(image, pixel, sum / float(count.x * count.y));
    }
}
