#version 430
#if ATOMIC64
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_NV_shader_atomic_int64 : require
#endif
// The sea's triangles onto the picture's samples. A work group draws a block of the mesh: it computes each vertex once. Then each
// invocation looks at a triangle. Three of four turn away from the eye or lie beside the picture, and the others cover from none
// to dozens of samples, so these are cut into pieces, which the invocations share. Triangles that cover many samples, or reach
// behind the eye, are drawn by all. From above the water none is seen from below: there is always one before it that is not.
#include "surface/vertex.glsl"
#include "surface/numbers.glsl"
#include "surface/cover.glsl"

layout(local_size_x = 128) in;  // BLOCK_TRIANGLES

const int MOST_PIECES = 640;     // of a block
const int MOST_OF_TRIANGLE = 64;  // pieces

shared vec4 clips[ROW * ROW];
shared int shared_level;
shared uint shared_count;
shared uint shared_triangles[BLOCK_TRIANGLES];
shared int piece_count;
shared uint pieces[MOST_PIECES];  // triangles' numbers in the block, and above 16 bits which piece

// Where an edge from a corner ahead of the nearest plane to one behind it meets that.
vec4 cut(vec4 ahead, vec4 behind) {
    precise vec4 point = mix(ahead, behind, (ahead.w - NEAREST) / (ahead.w - behind.w));
    return vec4(point.xyz, NEAREST);
}

void draw_by_group(Corners t, uint number) {
    if (orient(t, eye.w < 0.0)) draw_share(t, number, int(gl_LocalInvocationIndex), BLOCK_TRIANGLES);
}

// Draws what of a triangle is ahead of the nearest plane.
void draw_cut(vec4 a, vec4 b, vec4 c, uint number) {
    int ahead = int(a.w >= NEAREST) + int(b.w >= NEAREST) + int(c.w >= NEAREST);
    bool wanted = ahead == 1;  // which is alone on its side
    for (int turn = 0; turn < 2 && (a.w >= NEAREST) != wanted; ++turn) {
        vec4 first = a;
        a = b; b = c; c = first;
    }
    if (ahead == 3) {
        draw_by_group(Corners(projected(a), projected(b), projected(c)), number);
    } else if (ahead == 1) {
        draw_by_group(Corners(projected(a), projected(cut(a, b)), projected(cut(a, c))), number);
    } else if (ahead == 2) {
        vec3 left = projected(cut(b, a)), right = projected(cut(c, a));
        draw_by_group(Corners(left, projected(b), projected(c)), number);
        draw_by_group(Corners(left, projected(c), right), number);
    }
}

// A triangle's corners as the mesh has them, in clip coordinates.
mat3x4 corners_of(uint triangle, int cells) {
    ivec2[3] at = triangle_corners(int(triangle), cells);
    int row = cells + 1;
    return mat3x4(clips[at[0].y * row + at[0].x], clips[at[1].y * row + at[1].x], clips[at[2].y * row + at[2].x]);
}

Corners projected(mat3x4 clip) { return Corners(projected(clip[0]), projected(clip[1]), projected(clip[2])); }

// Lists the pieces of a triangle for all invocations to share; false where they are too many.
bool list_pieces(Corners t, uint triangle) {
    int count = find_pieces(t).count;
    if (count == 0) return true;
    if (count < 0 || count > MOST_OF_TRIANGLE) return false;
    int first = atomicAdd(piece_count, count);
    bool fits = first + count <= MOST_PIECES;
    for (int i = 0; i < count && first + i < MOST_PIECES; ++i) pieces[first + i] = fits ? uint(i) << 16u | triangle : NOTHING;
    return fits;
}

void main() {
    uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * groups[0];
    int t = int(gl_LocalInvocationIndex);
    if (group >= first_group[level_count]) return;
    if (t == 0) {
        shared_count = 0u;
        piece_count = 0;
    }
    if (t < level_count && group >= first_group[t] && group < first_group[t + 1]) shared_level = t;
    memoryBarrierShared();
    barrier();
    Block block = find_block(group, shared_level);
    Level level = levels[block.level];
    vec2 corner = level.corner + vec2(block.square) * level.side + level.cell * vec2(block.corner);
    if (is_outside(corner, level.cell * float(block.cells), levels[block.level + 1].cell)) return;
    int row = block.cells + 1;
    if (t < row * row) {
        Vertex vertex = mesh_vertex(block.level, block.square, block.corner + ivec2(t % row, t / row));
        clips[t] = view_projection * vec4(vertex.relative, 1.0);
        uint at = group * uint(ROW * ROW) + uint(t);
        if (at < uint(vertices.length())) vertices[at] = vec4(vertex.relative, vertex.log_cell);
    }
    memoryBarrierShared();
    barrier();

    uint first_number = group * uint(BLOCK_TRIANGLES);
    if (t < 2 * block.cells * block.cells) {
        mat3x4 clip = corners_of(uint(t), block.cells);
        float nearest = min(clip[0].w, min(clip[1].w, clip[2].w)), farthest = max(clip[0].w, max(clip[1].w, clip[2].w));
        bool by_all = farthest > NEAREST;
        if (nearest >= NEAREST) {
            Corners corners = projected(clip);
            by_all = orient(corners, eye.w < 0.0) && !list_pieces(corners, uint(t));
        }
        if (by_all) shared_triangles[atomicAdd(shared_count, 1u)] = uint(t);
    }
    memoryBarrierShared();
    barrier();
    for (int i = t; i < min(piece_count, MOST_PIECES); i += BLOCK_TRIANGLES) {
        if (pieces[i] == NOTHING) continue;
        uint triangle = pieces[i] & 0xffffu;
        Corners corners = projected(corners_of(triangle, block.cells));
        orient(corners, false);
        draw_piece(corners, first_number + triangle, int(pieces[i] >> 16u));
    }
    for (uint i = 0u; i < shared_count; ++i) {
        mat3x4 clip = corners_of(shared_triangles[i], block.cells);
        draw_cut(clip[0], clip[1], clip[2], first_number + shared_triangles[i]);
    }
}
