// The numbers of the triangles in the chosen squares. Squares are cut into blocks of up to 8 x 8 cells, which
// surface/choose.comp numbers through all levels. A work group draws a block. Each cell has two triangles.
const int BLOCK = 8;  // cells along a side of a block
const int BLOCK_TRIANGLES = 2 * BLOCK * BLOCK;

layout(std430, binding = STORAGE_SQUARES) buffer Squares { ivec4 squares[]; };  // position in the window (xy), level (z)
const uint BLOCKS_IN_ROW = 512u;  // blocks in a row of the drawing dispatch

layout(std430, binding = STORAGE_BLOCKS) buffer Blocks {
    uint testing[3];                   // size of the indirect dispatch that tests all blocks
    uint drawing[3];                   // size of the indirect dispatch that draws blocks in view
    uint in_view;                      // number of blocks in view
    uint levels_done;                  // levels whose squares are chosen; 0 after the last one
    uint first_block[MAX_LEVELS + 1];  // first block of each level, and the number of all blocks
    uint blocks[];                     // numbers of the blocks in view, then two words of each block: see `block_of`
};

// Maximum number of blocks in the list. If more are in view, raster.comp draws all blocks.
uint most_listed() { return uint(blocks.length()) / 3u; }

// Level that has a block.
int level_of(uint block) {
    int level = 0;
    while (level + 1 < level_count && block >= first_block[level + 1]) ++level;
    return level;
}

const int ROW = BLOCK + 1;
// Vertices that raster.comp has computed, as far as there is memory, by blocks in the order of the list: displaced position
// and log_cell of a Vertex.
layout(std430, binding = STORAGE_VERTICES) buffer Vertices { vec4 vertices[]; };


const uint NOT_LISTED = 50000000u;  // a place beyond all memory for vertices

struct Block {
    int level;
    ivec2 square;
    ivec2 corner;  // first cell
    int cells;     // cells along a side of the block
    uint place;    // of its vertices in `vertices`, counted in blocks
};

// Binary logarithms of the cells along a block's side, and of the blocks along a square's: GPUs divide slowly.
ivec2 block_bits(int level) {
    int bits = findMSB(levels[level].cells), of_block = min(bits, findMSB(BLOCK));
    return ivec2(of_block, bits - of_block);
}

int blocks_of_square(int level) { return 1 << 2 * block_bits(level).y; }

// Returns a block of a level from its number.
Block find_block(uint number, int level) {
    int within = int(number - first_block[level]);
    ivec2 bits = block_bits(level), block = ivec2(within, within >> bits.y) & (1 << bits.y) - 1;
    return Block(level, squares[MOST_SQUARES * level + (within >> 2 * bits.y)].xy, block << bits.x, 1 << bits.x, in_view > most_listed() ? number : NOT_LISTED);
}

// Writes what `block_of` reads: the place of a block in the list, then its level, square and corner.
void write_block(uint number, Block block) {
    uint at = most_listed() + 2u * number;
    uvec2 square = uvec2(block.square), corner = uvec2(block.corner / BLOCK);
    blocks[at] = block.place;
    blocks[at + 1u] = uint(block.level) | square.x << 5u | square.y << 11u | corner.x << 17u | corner.y << 22u;
}

// Returns a block in view from its number.
Block block_of(uint number) {
    if (in_view > most_listed() || number >= most_listed()) return find_block(number, level_of(number));
    uint at = most_listed() + 2u * number, place = blocks[at], word = blocks[at + 1u];
    int level = int(word & 31u);
    ivec2 square = ivec2(word >> 5u, word >> 11u) & 63, corner = BLOCK * (ivec2(word >> 17u, word >> 22u) & 31);
    return Block(level, square, corner, min(levels[level].cells, BLOCK), place);
}

// Corners of a triangle, in cells from its block's corner. Each cell is cut along the diagonal along which its vertices
// move onto the next level's lattice, so that no triangle turns over on the way and the mesh ends as the next level's.
ivec2[3] triangle_corners(int triangle, int cells) {
    ivec2 cell = ivec2(triangle >> 1 & cells - 1, triangle >> 1 + findMSB(cells));
    int upper = triangle & 1;  // 1: the cell's upper triangle
    return ivec2[3](cell, cell + ivec2(upper, 1), cell + ivec2(1, 1 - upper));
}
