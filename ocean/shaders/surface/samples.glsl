// The samples of a picture. Its rows are cut into strips; in a strip each pixel has columns x rows samples, one in each of
// as many equal parts. Within their parts samples are shifted so that no two of a pixel lie in one column, and, where it has few
// rows of them, in one row, which is what edges of any slope need (n rooks: Shirley 1991). Rows of many samples are left straight:
// most of the triangles seen there are so low that they lie between two rows, and are done with at once. ocean/render/samples.py
// lays the strips out.
//
// Samples are stored by tiles of 16 x 16, and these by blocks of 4 x 4, for triangles are small: a block of 64-bit words is
// a cache line.
#include "common/bindings.glsl"

const int TILE = 16, FEW_ROWS = 2;

struct Strip {
    int bottom, top;    // rows of pixels, the second one above the last
    int columns, rows;  // samples of a pixel; powers of two to TILE
    int first_tile, tiles_across;
    ivec2 parts;        // columns and rows of the cells that a pixel is shaded as
};

layout(std140, binding = BLOCK_SAMPLES) uniform Samples {
    Strip strips[MAX_STRIPS];
    ivec2 picture;      // pixels
    int strip_count;
    int tile_count;
};

// Where a sample is kept: two words, the triangle that it shows and how near that is.
uint sample_at(Strip strip, ivec2 place) {
    uvec2 p = uvec2(place), tile = p >> 4u, block = (p >> 2u) & 3u, inner = p & 3u;
    return (uint(strip.first_tile) + tile.y * uint(strip.tiles_across) + tile.x) << 8u | block.y << 6u | block.x << 4u | inner.y << 2u | inner.x;
}

// Sides of a sample's part of a pixel.
vec2 part_of(Strip strip) { return 1.0 / vec2(strip.columns, strip.rows); }

// Where a sample of a strip lies in its part, 0 to 1.
vec2 sample_offset(Strip strip, vec2 part, ivec2 place) {
    ivec2 within = place & (ivec2(strip.columns, strip.rows) - 1);
    vec2 offset = vec2(float(within.y) + 0.5, float(strip.columns - within.x) - 0.5) * part.yx;
    return vec2(offset.x, strip.rows > FEW_ROWS ? 0.5 : offset.y);
}

// Where it lies in the picture [pixels].
vec2 sample_point(Strip strip, ivec2 place) {
    vec2 part = part_of(strip);
    return (vec2(place) + sample_offset(strip, part, place)) * part + vec2(0.0, strip.bottom);
}

// The strip that a row of the picture is in; a row above or below all is in the last or first one.
int strip_at(float y) {
    int s = 0;
    while (s + 1 < strip_count && y >= float(strips[s + 1].bottom)) ++s;
    return s;
}
