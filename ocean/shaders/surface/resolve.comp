#version 430
// The pixels' light, means of their samples, and (a) the share of these that show something. Leaves samples as they are before a
// frame. A work group takes a tile.
#include "surface/samples.glsl"

layout(local_size_x = 256) in;
layout(rgba16f, binding = IMAGE_LIGHT) writeonly uniform image2D image;
layout(std430, binding = STORAGE_SEEN) buffer Seen { uvec2 seen[]; };

shared vec4 light_of[TILE * TILE];

void main() {
    int tile = int(gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x), t = int(gl_LocalInvocationIndex), s = 0;
    if (tile >= tile_count) return;
    while (s + 1 < strip_count && tile >= strips[s + 1].first_tile) ++s;
    Strip strip = strips[s];
    tile -= strip.first_tile;
    ivec2 corner = TILE * ivec2(tile % strip.tiles_across, tile / strip.tiles_across), within = ivec2(t % TILE, t / TILE);
    uint slot = sample_at(strip, corner + within);
    uvec2 held = seen[slot];
    vec2 rest = unpackHalf2x16(held.y);
    light_of[t] = rest.y * vec4(unpackHalf2x16(held.x), rest.x, 1.0);
    seen[slot] = uvec2(0xffffffffu);
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
