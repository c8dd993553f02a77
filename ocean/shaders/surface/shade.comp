#version 430
// Computes the light of the records of gather.comp, one record per invocation.
#include "surface/seen.glsl"
#include "surface/record.glsl"
#if PLACES
#include "surface/placed.glsl"
#endif
#include "surface/light.glsl"
#if BUOY
#include "buoy/seen.glsl"
#endif

layout(local_size_x = SHADED_AT_ONCE) in;

#if DIRECT
layout(FORMAT, binding = IMAGE_HDR) writeonly uniform image2D image;
#endif

uniform int chunk;

void main() {
    uint at = RECORDS_IN_ROW * gl_WorkGroupID.y + gl_GlobalInvocationID.x;
    if (at >= shadings[chunk].count) return;
#if PLACES
    uint number = listed[at].y;
    ivec2 pixel = ivec2(listed[at].x & 0xffffu, listed[at].x >> 16u);
    Place place = place_in(pixel);
#else
    Record record = records[at];
    uint slot = slot_of(record), number = seen[slot].x;
    Place place = place_of(record);
    ivec2 pixel = ivec2(place.pixel);
#endif
#ifdef STAGE
    stage_triangle = find_triangle(number);
    stage_point = place.pixel;
#endif
    vec4 light_;
#if BUOY
    if (number >= BUOY_TRIANGLES) light_ = buoy_light(number - BUOY_TRIANGLES, place.pixel);
    else
#endif
    light_ = sea_light(place);
#if DIRECT
    imageStore(image, pixel, light_);
#if !PLACES
    seen[slot] = uvec2(NOTHING);
#endif
#else
    seen[slot] = uvec2(packHalf2x16(light_.rg), packHalf2x16(vec2(light_.b, float(count_of(record)))));
#endif
}
