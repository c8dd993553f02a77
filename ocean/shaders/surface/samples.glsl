// The samples of a picture. Its rows are cut into strips; in a strip each pixel has columns x rows samples, one in each of
// as many equal parts. Within their parts samples are shifted so that no two of a pixel lie in one column or row, which is
// what edges of any slope need (n rooks: Shirley 1991). ocean/render/samples.py lays the strips out.
//
// Samples are stored by tiles of 16 x 16, and these by blocks of 4 x 4, for triangles are small: a block of 64-bit words is
// a cache line.
#include "common/bindings.glsl"

const int TILE = 16;

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

// A sample's number is two words of this buffer: the triangle that it shows, and how near that is.
int sample_at(Strip strip, ivec2 place) {
    int tile = strip.first_tile + place.y / TILE * strip.tiles_across + place.x / TILE;
    ivec2 within = place % TILE, block = within / 4, inner = within % 4;
    return tile * TILE * TILE + 16 * (4 * block.y + block.x) + 4 * inner.y + inner.x;
}

// Where a sample of a strip lies in its own part, 0 to 1.
vec2 sample_offset(Strip strip, ivec2 place) {
    ivec2 count = ivec2(strip.columns, strip.rows), within = place & (count - 1);
    return vec2(float(within.y) + 0.5, float(count.x - within.x) - 0.5) / vec2(count.yx);
}
