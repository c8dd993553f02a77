// How the triangles of the chosen squares are numbered. Squares are cut into blocks of up to 8 x 8 cells, each drawn by a work
// group, which are counted through all levels (surface/choose.comp); a group's triangles are two a cell.
const int BLOCK = 8;                         // cells along a side of a block
const int BLOCK_TRIANGLES = 2 * BLOCK * BLOCK;
const uint NOTHING = 0xffffffffu;
const uint THING = 0x80000000u;              // from here on triangles are the buoy's

layout(std430, binding = STORAGE_SQUARES) buffer Squares { ivec4 squares[]; };
layout(std430, binding = STORAGE_GROUPS) buffer Groups {
    uint groups[3];                  // to dispatch
    uint first_group[MAX_LEVELS + 1];
};

// What raster.comp has computed of each block's vertices, as far as there is memory for them: place and log_cell of a Vertex.
const int ROW = BLOCK + 1;
layout(std430, binding = STORAGE_VERTICES) buffer Vertices { vec4 vertices[]; };

struct Block {
    int level;
    ivec2 square;
    ivec2 corner;  // first cell
    int cells;     // along a side
};

int cells_of_block(int level) { return min(levels[level].cells, BLOCK); }

int blocks_of_square(int level) {
    int side = levels[level].cells / cells_of_block(level);
    return side * side;
}

// The block that a group of a level draws.
Block find_block(uint group, int level) {
    int cells = cells_of_block(level), side = levels[level].cells / cells, within = int(group - first_group[level]);
    int square = within / (side * side), block = within % (side * side);
    return Block(level, squares[MOST_SQUARES * level + square].xy, cells * ivec2(block % side, block / side), cells);
}

// Corners of a block's triangle, in cells. All cells are cut along the diagonal along which their vertices move onto the next
// lattice: no triangle turns over on the way, and at its end the mesh is the next level's.
ivec2[3] triangle_corners(int triangle, int cells) {
    ivec2 cell = ivec2(triangle / 2 % cells, triangle / 2 / cells);
    int upper = triangle & 1;  // in the corner after the first one, clockwise
    return ivec2[3](cell, cell + ivec2(upper, 1), cell + ivec2(1, 1 - upper));
}
