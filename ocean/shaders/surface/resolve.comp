#version 430
// Resolves samples to pixels: the mean light, and (a) the share of samples that show the sea or the buoy. It resets the
// samples for the next frame. A work group takes a tile.
#include "surface/samples.glsl"

layout(local_size_x = 256) in;
layout(rgba16f, binding = IMAGE_LIGHT) writeonly uniform image2D image;
layout(std430, binding = STORAGE_SEEN) buffer Seen { uvec2 seen[]; };

shared vec4 light_of[TILE * TILE];

void main() {
    int tile = int(gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x), t = int(gl_LocalInvocationIndex);
    if (tile >= tile_count) return;
    Strip strip = strips[strip_of_tile(tile)];
    ivec2 corner = tile_corner(strip, tile), within = place_in_tile(t);
    uint slot = uint(TILE * TILE * tile + t);  // consecutive invocations read and reset consecutive words
    uvec2 held = seen[slot];
    vec2 rest = unpackHalf2x16(held.y);
    light_of[TILE * within.y + within.x] = rest.y * vec4(unpackHalf2x16(held.x), rest.x, 1.0);
    seen[slot] = uvec2(NOTHING);
    memoryBarrierShared();
    barrier();
    ivec2 count = ivec2(strip.columns, strip.rows), pixels = TILE / count;
    if (t >= pixels.x * pixels.y) return;
    ivec2 own = ivec2(t % pixels.x, t / pixels.x), pixel = corner / count + own + ivec2(0, strip.bottom);
    if (pixel.x >= picture.x || pixel.y >= strip.top) return;
    vec4 sum = vec4(0.0);
    for (int y = 0; y < count.y; ++y)
        for (int x = 0; x < count.x; ++x) sum += light_of[TILE * (own.y * count.y + y) + own.x * count.x + x];
    imageStore(image, pixel, sum / float(count.x * count.y));
}
