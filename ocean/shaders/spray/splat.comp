#version 430
// Draws the listed pieces of drops.
#include "spray/drop.glsl"

layout(local_size_x = 64) in;

void main() {
    uint number = gl_WorkGroupID.x + IN_ROW * gl_WorkGroupID.y;
    if (number >= min(piece_dispatch.count, uint(pieces.length()))) return;
    uvec2 piece = pieces[number];
    Splat splat;
    if (piece.x == NOTHING || !set_up(listed[piece.x], piece.y & 31u, splat)) return;
    int first = PIECE * int(piece.y >> 5u);
    draw(splat, first + int(gl_LocalInvocationID.x), first + PIECE, 64);
}
