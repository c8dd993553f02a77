#version 430
// Lists the pixels that show sea or buoy where the hardware's raster has drawn the mesh, in place of gather.comp. A work
// group takes a tile, an invocation a row of it, without barriers, because on llvmpipe barriers and atomics are dear.
#include "surface/placed.glsl"
#if BUOY
layout(std430, binding = STORAGE_SEEN) buffer Seen { uvec2 seen[]; };  // number and nearness of the buoy's triangles
#endif

layout(local_size_x = 16) in;  // TILE
layout(FORMAT, binding = IMAGE_HDR) writeonly uniform image2D image;

uniform int chunk;
uniform int first_tile;  // of this chunk

// Returns the number of what a pixel shows, 0 for the sea.
uint number_in(ivec2 pixel, uint slot) {
    float far = texelFetch(places, pixel, 0).z;
    uint number = far > 0.0 ? 0u : NOTHING;
#if BUOY
    float sea = 1.0 / (view_projection * vec4(place_in(pixel).relative, 1.0)).w;
    if (seen[slot].x != NOTHING && (far == 0.0 || uintBitsToFloat(~seen[slot].y) > sea)) number = seen[slot].x;
#endif
    return number;
}

void main() {
    int tile = first_tile + int(gl_WorkGroupID.x);
    Strip strip = strips[strip_of_tile(tile)];
    ivec2 first = tile_corner(strip, tile) + ivec2(0, gl_LocalInvocationID.x), pixel = first;
    int end = min(first.x + TILE, picture.x);
    uint shows = 0u;  // a bit for each pixel of the row
    if (first.y >= strip.top) return;
    do {
        if (number_in(pixel, sample_at(strip, pixel)) != NOTHING) shows |= 1u << (pixel.x - first.x);
        else imageStore(image, pixel, vec4(0.0));
    } while (++pixel.x < end);
    if (shows == 0u) return;
    uint count = uint(bitCount(shows)), at = atomicAdd(shadings[chunk].count, count);
    atomicMax(shadings[chunk].groups[1], (at + count + RECORDS_IN_ROW - 1u) / RECORDS_IN_ROW);
    do {
        pixel.x = first.x + findLSB(shows);
#if BUOY
        uint slot = sample_at(strip, pixel), number = number_in(pixel, slot);
        seen[slot] = uvec2(NOTHING);
#else
        const uint number = 0u;
#endif
        listed[at++] = uvec2(pixel.x | pixel.y << 16, number);
        shows &= shows - 1u;
    } while (shows != 0u);
}
