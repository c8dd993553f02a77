#version 430
// Chooses the squares of the mesh to draw; each work group chooses for one level. The list has the order of the level's
// window, so that equal frames draw in equal order. The work group that ends last numbers the blocks.
#include "common/group.glsl"
#include "surface/mesh.glsl"
#include "surface/numbers.glsl"

layout(local_size_x = GROUP) in;

struct Draw { uint count, instances, first, base_vertex, base_instance; };  // layout of glMultiDrawElementsIndirect

layout(std430, binding = STORAGE_DRAWS) coherent buffer Draws { Draw draws[]; };

const uint MOST_GROUPS = 65535u;  // along one axis of a dispatch: the minimum that OpenGL guarantees
const int WORDS = (MOST_SQUARES + 31) / 32;

shared uint drawn[WORDS];  // one bit for each square of the window

// Lower corner of a square [m], relative to the origin.
vec2 corner_of(int level, ivec2 square) {
    precise vec2 corner = levels[level].corner + vec2(square) * levels[level].side;
    return corner;
}

// Distance [m] from the eye to the nearest still water of a square.
float nearest(int level, ivec2 square) {
    vec2 low = corner_of(level, square);
    return eye_distance(clamp(vec2(0.0), low, low + levels[level].side));
}

// Whether the next finer level draws the area of a square. The square and its four parts evaluate the same expression,
// so that exactly one level draws each point.
bool is_split(int level, ivec2 square) {
    return level > 0 && nearest(level, square) < levels[level - 1].range;
}

// Whether this level draws a square: the parent is split, the square is not, and the view contains a part of it.
bool is_drawn(int level, ivec2 square) {
    bool wanted = level + 1 < level_count ? is_split(level + 1, (square >> 1) + levels[level].shift)
                                          : nearest(level, square) < horizon + mesh_altitude;
    Sphere around = sphere_around(corner_of(level, square), levels[level].side, levels[level + 1].cell);
    return wanted && !is_split(level, square) && !is_outside(around, wave_reach());
}

// Writes each level's first block, and the size of the indirect dispatch that tests all blocks.
void number_blocks() {
    uint sum = 0u;
    for (int level = 0; level < level_count; ++level) {
        first_block[level] = sum;
        sum += draws[level].instances * uint(blocks_of_square(level));
    }
    first_block[level_count] = sum;
    uint count = max((sum + TESTED_AT_ONCE - 1u) / TESTED_AT_ONCE, 1u);
    testing = uint[3](min(count, MOST_GROUPS), (count + MOST_GROUPS - 1u) / MOST_GROUPS, 1u);
    drawing = uint[3](BLOCKS_IN_ROW, 0u, 1u);
    in_view = levels_done = 0u;
}

void main() {
    int level = int(gl_WorkGroupID.x), first = int(gl_LocalInvocationIndex), count = window * window;
    for (int word = first; word < WORDS; word += GROUP) drawn[word] = 0u;
    wait_for_group();
    for (int i = first; i < count; i += GROUP)
        if (is_drawn(level, ivec2(i % window, i / window))) atomicOr(drawn[i / 32], 1u << (i % 32));
    wait_for_group();
    for (int i = first; i < count; i += GROUP) {
        uint word = drawn[i / 32], bit = 1u << (i % 32);
        if ((word & bit) == 0u) continue;
        int before = bitCount(word & (bit - 1u));
        for (int w = 0; w < i / 32; ++w) before += bitCount(drawn[w]);
        squares[MOST_SQUARES * level + before] = ivec4(i % window, i / window, level, 0);
    }
    if (first != 0) return;
    int all = 0;
    for (int word = 0; word < WORDS; ++word) all += bitCount(drawn[word]);
    draws[level].instances = uint(all);
    memoryBarrierBuffer();
    if (atomicAdd(levels_done, 1u) + 1u == uint(level_count)) number_blocks();
}
