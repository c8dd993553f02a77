#version 430
// Computes the light of the records of gather.comp, one record per invocation.
#include "surface/seen.glsl"
#include "surface/record.glsl"
#include "surface/light.glsl"
#if BUOY
#include "buoy/seen.glsl"
#endif

layout(local_size_x = SHADED_AT_ONCE) in;

#ifdef STAGE
layout(rgba32f, binding = IMAGE_LIGHT) writeonly uniform image2D image;
#endif

uniform int chunk;

void main() {
    uint at = RECORDS_IN_ROW * gl_WorkGroupID.y + gl_GlobalInvocationID.x;
    if (at >= shadings[chunk].count) return;
    Record record = records[at];
    vec2 strain_and_spacing = unpackHalf2x16(record.strain_and_spacing);
    vec2 count_and_grazing = unpackHalf2x16(record.count_and_grazing);
    Place place = Place(record.still, record.relative, record.dx, record.dy, exp2(strain_and_spacing.y), record.face,
                        record.scatter, count_and_grazing.y, strain_and_spacing.x, record.pixel);
#ifdef STAGE
    stage_triangle = find_triangle(record.number, level_of(record.number / uint(BLOCK_TRIANGLES)));
    stage_point = record.pixel;
    imageStore(image, ivec2(record.pixel), sea_light(place));
#else
    vec4 light_;
#if BUOY
    if (record.number >= BUOY_TRIANGLES) light_ = buoy_light(record.number - BUOY_TRIANGLES, record.pixel);
    else
#endif
    light_ = sea_light(place);
    seen[record.slot] = uvec2(packHalf2x16(light_.rg), packHalf2x16(vec2(light_.b, count_and_grazing.x)));
#endif
}
