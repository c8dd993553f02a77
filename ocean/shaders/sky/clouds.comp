#version 430
// Marches rays through clouds and veil, for texels of the cloud map: one of four of the picture, those of a list, or
// the stale blocks.
#include "sky/clouds_and_veil.glsl"
#include "sky/cloud_list.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = IMAGE_CLOUDS) writeonly uniform image2D map;
layout(rgba32f, binding = IMAGE_CLOUD_BLOCKS) uniform image2D blocks;

const int FOURTH = 0, LISTED = 1, STALE = 2;
uniform int texels;            // which texels: one of these
uniform ivec2 corner;          // work group of the map with which the dispatch begins
uniform int due;               // order of the blocks whose turn it is
uniform ivec4 part;            // points of the picture that may show sky: left, bottom, right, top
uniform mat4 point_to_picture; // from a point to a point of the view's picture

// Number of a block in the order of marching, 0 to 31: blocks of a frame are far apart (Bayer's matrix).
int order(ivec2 block) {
    int x = block.x ^ block.y, y = block.y;
    return (x & 1) << 4 | (y & 1) << 3 | (x & 2) << 1 | (y & 2) | (x & 4) >> 2;
}

// Whether a block is in view and must be marched: it is its turn, the block is empty, or its clouds may be half a pixel
// off, since not all have the height that reading assumes.
bool is_stale(ivec2 block) {
    vec2 centre = vec2(BLOCK * block - margin) + 0.5 * float(BLOCK);
    vec4 seen = point_to_picture * vec4(centre, 1.0, 1.0);
    vec2 off = abs(seen.xy / seen.w - 0.5 * vec2(part.xy + part.zw)) - 0.5 * vec2(part.zw - part.xy);
    if (seen.w <= 0.0 || any(greaterThan(off, vec2(2 * BLOCK)))) return false;
    vec4 from = imageLoad(blocks, block);
    if (from.a == 0.0 || order(block) == due) return true;
    vec3 ray = ray_of(centre);
    float wide = length(ray_of(centre + vec2(0.0, 1.0)) - ray) / length(ray), base = clouds.y - eye.y;
    float moved = distance(cloud_frame().xyz, from.xyz) / to_clouds(normalize(ray));
    return moved * clouds.z * max(SEEN_AT / base, (1.0 - SEEN_AT) / (base + clouds.z)) > 0.5 * wide;
}

shared bool stale;

void main() {
    ivec2 own = ivec2(gl_GlobalInvocationID.xy) + 8 * corner, texel = texels == FOURTH ? 2 * own : own;
    if (texels == LISTED) {
        uint i = (gl_WorkGroupID.y * GROUPS_IN_ROW + gl_WorkGroupID.x) * 64u + gl_LocalInvocationIndex;
        if (i >= listed_count) return;
        texel = ivec2(listed[i] & 0xffffu, listed[i] >> 16u);
    } else if (texels == STALE) {
        ivec2 block = own / BLOCK;
        if (gl_LocalInvocationIndex == 0u) {
            stale = is_stale(block);
            if (stale) imageStore(blocks, block, cloud_frame());
        }
        memoryBarrierShared();
        barrier();
        if (!stale) return;
    } else {
        ivec2 point = texel - margin;
        bool is_whole = all(greaterThanEqual(point, part.xy)) && all(lessThanEqual(point + BLOCK, part.zw));
        if (all(equal(texel % BLOCK, ivec2(0)))) imageStore(blocks, texel / BLOCK, is_whole ? cloud_frame() : vec4(0.0));
        if (any(lessThan(point, part.xy)) || any(greaterThanEqual(point, part.zw))) return;
    }
    imageStore(map, texel, clouds_and_veil(vec2(texel - margin) + 0.5));
}
