#version 430
// Lists the drops in the air, cut into pieces of equal work; a work group has the slots of a cell.
#include "spray/drop.glsl"

layout(local_size_x = 32) in;  // DROPS

void main() {
    uint number = gl_WorkGroupID.x + IN_ROW * gl_WorkGroupID.y, slot = gl_LocalInvocationID.x;
    Splat splat;
    if (number >= cell_dispatch.count || !set_up(listed[number], slot, splat)) return;
    uint wanted = uint((splat.box.w + PIECE - 1) / PIECE), at = atomicAdd(piece_dispatch.count, wanted);
    if (at + wanted > uint(pieces.length())) {  // too many: draw it here
        draw(splat, 0, splat.box.w, 1);
        for (; at < uint(pieces.length()); ++at) pieces[at] = uvec2(NOTHING);
        return;
    }
    atomicMax(piece_dispatch.groups[1], (at + wanted) / IN_ROW + 1u);
    for (uint i = 0u; i < wanted; ++i) pieces[at + i] = uvec2(number, i << 5u | slot);
}
