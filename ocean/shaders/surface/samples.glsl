// The samples of a picture. ocean/render/samples.py cuts its rows of pixels into strips. In a strip, each pixel is
// divided into columns x rows equal parts with one sample each, shifted so that no two samples of a pixel lie in one
// column and, up to FEW_ROWS rows, none in one row: edges of any slope then get many shades (n rooks, Shirley 1991).
// With more rows, samples lie on straight lines, because most triangles fit between two lines and need no further test.
// Samples are stored in tiles of 16 x 16, and within a tile in blocks of 4 x 4: triangles are small, and a block of
// 64-bit words is a cache line.
#include "common/bindings.glsl"

const int TILE = 16, FEW_ROWS = 2;
const uint NOTHING = 0xffffffffu;         // number of a sample that shows no triangle
const uint BUOY_TRIANGLES = 0x80000000u;  // first number of the buoy's triangles

struct Strip {
    int bottom, top;    // first row of pixels, and the row above the last
    int columns, rows;  // samples of a pixel; powers of two, at most TILE
    int first_tile, tiles_across;
    ivec2 parts;        // columns and rows of cells in a pixel
};

// Before renaming a block, read about the fourth uniform buffer in docs/maintainers/drivers.md.
layout(std140, binding = BLOCK_SAMPLES) uniform PictureStrips {
    Strip strips[MAX_STRIPS];
    ivec2 picture;      // pixels
    int strip_count;
    int tile_count;
    int last_packed;    // last index of the packed samples of a chunk
};

// Index of a sample: each has two words, the number and the nearness of its triangle.
uint sample_at(Strip strip, ivec2 index) {
    uvec2 p = uvec2(index), tile = p >> 4u, block = (p >> 2u) & 3u, inner = p & 3u;
    return (uint(strip.first_tile) + tile.y * uint(strip.tiles_across) + tile.x) << 8u
        | block.y << 6u | block.x << 4u | inner.y << 2u | inner.x;
}

// Sides of a sample's part of a pixel [pixels].
vec2 part_of(Strip strip) { return 1.0 / vec2(strip.columns, strip.rows); }

// Position of a sample in its part, 0 to 1.
vec2 sample_offset(Strip strip, vec2 part, ivec2 index) {
    ivec2 within = index & (ivec2(strip.columns, strip.rows) - 1);
    vec2 offset = vec2(float(within.y) + 0.5, float(strip.columns - within.x) - 0.5) * part.yx;
    return vec2(offset.x, strip.rows > FEW_ROWS ? 0.5 : offset.y);
}

// Position of a sample in the picture [pixels].
vec2 sample_point(Strip strip, ivec2 index) {
    vec2 part = part_of(strip);
    return (vec2(index) + sample_offset(strip, part, index)) * part + vec2(0.0, strip.bottom);
}

// Number of the strip that has a tile.
int strip_of_tile(int tile) {
    int s = 0;
    while (s + 1 < strip_count && tile >= strips[s + 1].first_tile) ++s;
    return s;
}

// First sample of a tile, counted from the strip's first.
ivec2 tile_corner(Strip strip, int tile) {
    tile -= strip.first_tile;
    return TILE * ivec2(tile % strip.tiles_across, tile / strip.tiles_across);
}

// Position in the picture of the sample at an index [pixels].
vec2 point_of(uint slot) {
    int tile = int(slot >> 8u);
    Strip strip = strips[strip_of_tile(tile)];
    ivec2 block = ivec2(slot >> 4u, slot >> 6u) & 3, inner = ivec2(slot, slot >> 2u) & 3;
    return sample_point(strip, tile_corner(strip, tile) + 4 * block + inner);
}

// Number of the strip that has a row of pixels; rows above all strips belong to the last one, rows below to the first.
int strip_at(float y) {
    int s = 0;
    while (s + 1 < strip_count && y >= float(strips[s + 1].bottom)) ++s;
    return s;
}
