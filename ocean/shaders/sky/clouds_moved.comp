#version 430
// Moves the map of clouds to the camera of this frame. A block stays empty if the old map does not hold all of it.
#include "sky/radiance.glsl"
#include "sky/kept_clouds.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = IMAGE_CLOUDS) writeonly uniform image2D map;
layout(rgba32f, binding = IMAGE_CLOUD_BLOCKS) writeonly uniform image2D blocks;

uniform mat4 new_point_to_ray;  // `point_to_ray` of this frame's camera

shared bool is_whole;

// Whether a point and the texels that are interpolated around it lie in marched blocks of the old map.
bool is_held(vec2 point) {
    vec2 low = point - 0.5 + float(margin), high = low + 1.0;
    if (any(lessThan(low, vec2(0.0))) || any(greaterThanEqual(high, vec2(textureSize(cloud_map, 0))))) return false;
    return frame_of(point - 0.5).a * frame_of(point + 0.5).a * frame_of(point + vec2(0.5, -0.5)).a
        * frame_of(point + vec2(-0.5, 0.5)).a > 0.0;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (gl_LocalInvocationIndex == 0u) is_whole = true;
    memoryBarrierShared();
    barrier();
    vec3 direction = normalize((new_point_to_ray * vec4(vec2(texel - margin) + 0.5, 1.0, 1.0)).xyz);
    vec4 from;
    vec2 point = kept_point(direction, from);
    if (dot(direction, ray_of(point)) > 0.0 && is_held(point)) imageStore(map, texel, kept_clouds(point, from));
    else is_whole = false;
    memoryBarrierShared();
    barrier();
    if (gl_LocalInvocationIndex == 0u) imageStore(blocks, texel / BLOCK, is_whole ? cloud_frame() : vec4(0.0));
}
