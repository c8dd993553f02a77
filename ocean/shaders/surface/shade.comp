#version 430
// Computes the light of the packed samples of gather.comp, one per invocation, or where the hardware's raster has drawn
// the mesh, of all pixels, one per invocation: most show sea, and on llvmpipe a list of them costs more than it saves.
#include "surface/seen.glsl"
#if BY_HARDWARE
#include "sky/view_ray.glsl"
#else
#include "surface/packed_sample.glsl"
#endif
#include "surface/light.glsl"
#if BUOY
#include "buoy/seen.glsl"
#endif

layout(local_size_x = SHADED_AT_ONCE) in;

#if DIRECT
layout(FORMAT, binding = IMAGE_HDR) writeonly uniform image2D image;
#endif

#if BY_HARDWARE
layout(binding = SAMPLER_VISIBILITY) uniform sampler2D visibility;  // by visibility.frag; 0 without sea
uniform int first_tile;  // first tile of this chunk; a row of work groups takes a tile
#else
uniform int chunk;
#endif

void main() {
#if BY_HARDWARE
    uint slot = (uint(first_tile) + gl_WorkGroupID.y) << 8u | gl_GlobalInvocationID.x;
    vec2 point = point_of(slot);
    if (point.x > float(picture.x) || point.y > float(strips[strip_count - 1].top)) return;
    vec4 sea = texelFetch(visibility, ivec2(point), 0);
    vec3 relative = eye.xyz + sea.z * view_ray(point, vec2(picture));
    VisibilitySample visible = flat_sample(sea.xy, relative, vec2(sea.w, 0.0), vec2(0.0, sea.w), 1.0, point);
    uint number = sea.z > 0.0 ? 0u : NOTHING;
#if BUOY
    uvec2 nearest = seen[slot];
    if (nearest.x != NOTHING && (sea.z == 0.0 || uintBitsToFloat(~nearest.y) * sea.z > 1.0)) number = nearest.x;
#endif
#else
    uint at = PACKED_IN_ROW * gl_WorkGroupID.y + gl_GlobalInvocationID.x;
    if (at >= shadings[2 * chunk + FAR_FOAM].count) return;
    PackedSample stored = packed_samples[packed_at(uint(FAR_FOAM), at)];
    uint slot = slot_of(stored), number = seen[slot].x;
    VisibilitySample visible = unpack(stored);
#endif
#ifdef DEBUG_VIEW
    debug_triangle = find_triangle(number);
    debug_point = visible.pixel;
#endif
    vec4 light_;
#if BY_HARDWARE
    if (number == NOTHING) light_ = vec4(0.0);
    else
#endif
#if BUOY
    if (number >= BUOY_TRIANGLES) light_ = buoy_light(number - BUOY_TRIANGLES, visible.pixel);
    else
#endif
    light_ = sea_light(visible);
#if DIRECT
    imageStore(image, ivec2(visible.pixel), light_);
#if BUOY || !BY_HARDWARE
    seen[slot] = uvec2(NOTHING);
#endif
#else
    seen[slot] = uvec2(packHalf2x16(light_.rg), packHalf2x16(vec2(light_.b, float(count_of(stored)))));
#endif
}
