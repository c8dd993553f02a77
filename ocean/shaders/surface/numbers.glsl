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
    uint blocks[];                     // numbers of the blocks in view; second half: position in this list of each block
};

// Maximum number of blocks in the list. If more are in view, raster.comp draws all blocks.
uint most_listed() { return uint(blocks.length()) / 2u; }

#ifndef FIRST_BLOCK
#define FIRST_BLOCK first_block
#endif

// Level that has a block.
int level_of(uint block) {
    int level = 0;
    while (level + 1 < level_count && block >= FIRST_BLOCK[level + 1]) ++level;
    return level;
}

const int ROW = BLOCK + 1;
// Vertices that raster.comp has computed, as far as there is memory, by blocks in the order of the list: displaced position
// and log_cell of a Vertex.
layout(std430, binding = STORAGE_VERTICES) buffer Vertices { vec4 vertices[]; };

const uint NOT_LISTED = 50000000u;  // blocks: beyond all memory for vertices

// Position in `vertices` of a block's first vertex, or a position beyond them.
uint first_vertex(uint block) {
    uint most = most_listed(), at = in_view > most ? block : block < most ? blocks[most + block] : NOT_LISTED;
    return at * uint(ROW * ROW);
}

struct Block {
    int level;
    ivec2 square;
    ivec2 corner;  // first cell
    int cells;     // cells along a side of the block
};

int cells_of_block(int level) { return min(levels[level].cells, BLOCK); }

int blocks_of_square(int level) {
    int side = levels[level].cells / cells_of_block(level);
    return side * side;
}

// Returns a block of a level from its number.
Block find_block(uint number, int level) {
    int cells = cells_of_block(level), side = levels[level].cells / cells, within = int(number - first_block[level]);
    int square = within / (side * side), block = within % (side * side);
    return Block(level, squares[MOST_SQUARES * level + square].xy, cells * ivec2(block % side, block / side), cells);
}

// Corners of a triangle, in cells from its block's corner. Each cell is cut along the diagonal along which its vertices
// move onto the next level's lattice, so that no triangle turns over on the way and the mesh ends as the next level's.
ivec2[3] triangle_corners(int triangle, int cells) {
    ivec2 cell = ivec2(triangle / 2 % cells, triangle / 2 / cells);
    int upper = triangle & 1;  // 1: the cell's upper triangle
    return ivec2[3](cell, cell + ivec2(upper, 1), cell + ivec2(1, 1 - upper));
}
