#version 430
// Lists the blocks of the mesh that may show in the view; an invocation tests one block. If the list has no memory for
// all of them, raster.comp draws all blocks.
#include "common/group.glsl"
#include "surface/mesh.glsl"
#include "surface/displacement.glsl"
#include "surface/numbers.glsl"

layout(local_size_x = TESTED_AT_ONCE) in;

const float SWING = 3.0;  // largest move of a block's point by waves relative to its centre, in radii of the block

shared uint found_count, first_found;

bool is_in_view(Block block) {
    Level level = levels[block.level];
    vec2 corner = level.corner + vec2(block.square) * level.side + level.cell * vec2(block.corner);
    Sphere around = sphere_around(corner, level.cell * float(block.cells), levels[block.level + 1].cell);
    if (is_outside(around, wave_reach())) return false;
    if (!is_outside(around, 0.0) || SWING * around.radius >= wave_reach()) return true;
    around.centre += displacement(around.centre.xz, level.log_cell);  // for blocks that waves may bring into view
    return !is_outside(around, SWING * around.radius);
}

void main() {
    uint number = gl_LocalInvocationIndex + TESTED_AT_ONCE * (gl_WorkGroupID.x + gl_WorkGroupID.y * testing[0]);
    uint all = first_block[level_count];
    if (gl_LocalInvocationIndex == 0u) found_count = 0u;
    wait_for_group();
    Block block;
    bool found = number < all;
    if (found) {
        block = find_block(number, level_of(number));
        found = is_in_view(block);
    }
    uint at = found ? atomicAdd(found_count, 1u) : 0u;
    wait_for_group();
    if (gl_LocalInvocationIndex == 0u) {
        first_found = atomicAdd(in_view, found_count);
        uint end = first_found + found_count, wanted = end <= most_listed() ? end : all;
        atomicMax(drawing[1], (wanted + BLOCKS_IN_ROW - 1u) / BLOCKS_IN_ROW);
    }
    wait_for_group();
    at += first_found;
    if (!found || at >= most_listed()) return;
    blocks[at] = number;
    block.place = at;
    if (number < most_listed()) write_block(number, block);
}
