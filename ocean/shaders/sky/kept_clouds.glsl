// Reads the cloud map with the eye, the exposure and the cloud positions of this frame.
#include "sky/cloud_map.glsl"

layout(binding = SAMPLER_CLOUD_MAP) uniform sampler2D cloud_map;
layout(binding = SAMPLER_CLOUD_BLOCKS) uniform sampler2D cloud_blocks;

// The frame that marched the block around a point; (a) is 0 for an empty block.
vec4 frame_of(vec2 point) {
    ivec2 block = (ivec2(floor(point)) + margin) / BLOCK;
    return texelFetch(cloud_blocks, clamp(block, ivec2(0), textureSize(cloud_blocks, 0) - 1), 0);
}

// Finds the point of the map where the clouds along a ray were marched: clouds and eye have moved since.
vec2 kept_point(vec3 direction, out vec4 from) {
    vec3 place = to_clouds(direction) * direction + cloud_frame().xyz;
    from = frame_of(point_of(direction));
    from = frame_of(point_of(place - from.xyz));
    return point_of(place - from.xyz);
}

// Exposed radiance of clouds and veil along a ray, and (a) their transmittance.
vec4 kept_clouds(vec2 point, vec4 from) {
    vec4 kept = textureLod(cloud_map, (point + float(margin)) / vec2(textureSize(cloud_map, 0)), 0.0);
    return vec4(kept.rgb * (light.meter.x / from.a), kept.a);
}
