#version 430
// Moves the cloud map to the camera of this frame. A block stays empty if the old map does not hold all of it.
#include "sky/radiance.glsl"
#include "sky/kept_clouds.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = IMAGE_CLOUDS) writeonly uniform image2D map;
layout(rgba32f, binding = IMAGE_CLOUD_BLOCKS) writeonly uniform image2D blocks;

uniform mat4 new_point_to_ray;  // `point_to_ray` of this frame's camera

shared bool is_whole;

const float REACH = 1.5;  // texels between a point and the farthest one that is interpolated

// Whether a point and the texels that are interpolated around it lie in marched blocks of the old map.
bool is_held(vec2 point) {
    vec2 low = point - REACH, high = point + REACH, end = vec2(textureSize(cloud_map, 0)) - float(margin);
    if (any(lessThan(low, vec2(-margin))) || any(greaterThanEqual(high, end))) return false;
    return frame_of(low).a * frame_of(high).a * frame_of(vec2(high.x, low.y)).a * frame_of(vec2(low.x, high.y)).a > 0.0;
}

// Clouds of the old map by cubic interpolation (Catmull and Rom 1974) within the range of the nearest four texels: linear
// interpolation would blur them with each move.
vec4 moved_clouds(vec2 point, vec4 from) {
    vec2 place = point + float(margin) - 0.5, f = fract(place);
    ivec2 texel = ivec2(floor(place));
    vec2 weights[4] = vec2[4](f * (-0.5 + f * (1.0 - 0.5 * f)), 1.0 + f * f * (-2.5 + 1.5 * f),
                              f * (0.5 + f * (2.0 - 1.5 * f)), f * f * (-0.5 + 0.5 * f));
    vec4 sum = vec4(0.0), low = vec4(1e9), high = vec4(0.0);
    for (int i = 0; i < 16; ++i) {
        int x = i & 3, y = i >> 2;
        vec4 one = texelFetch(cloud_map, texel + ivec2(x, y) - 1, 0);
        sum += weights[x].x * weights[y].y * one;
        if (x % 3 == 0 || y % 3 == 0) continue;
        low = min(low, one);
        high = max(high, one);
    }
    sum = clamp(sum, low, high);
    return vec4(sum.rgb * (light.meter.x / from.a), sum.a);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (gl_LocalInvocationIndex == 0u) is_whole = true;
    memoryBarrierShared();
    barrier();
    vec3 direction = normalize((new_point_to_ray * vec4(vec2(texel - margin) + 0.5, 1.0, 1.0)).xyz);
    vec4 from;
    vec2 point = kept_point(direction, from);
    bool is_known = frame_of(point_of(direction)).a * from.a > 0.0 && dot(direction, ray_of(point)) > 0.0;
    if (is_known && is_held(point)) imageStore(map, texel, moved_clouds(point, from));
    else is_whole = false;
    memoryBarrierShared();
    barrier();
    if (gl_LocalInvocationIndex == 0u) imageStore(blocks, texel / BLOCK, is_whole ? cloud_frame() : vec4(0.0));
}
