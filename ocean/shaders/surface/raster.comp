#version 430
#if ATOMIC64
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_NV_shader_atomic_int64 : require
#endif
// Rasterises the sea's triangles onto the samples. A work group draws one block of the mesh and computes each vertex
// once. Then each invocation sets up one triangle. Three of four face away or lie outside the picture, and the others
// cover from none to dozens of samples, so triangles are cut into pieces that the invocations share evenly. The whole
// group draws triangles that cover many samples or cross the near plane. Above water, back faces are culled: a front
// face is always nearer.
#include "surface/vertex.glsl"
#include "surface/numbers.glsl"
#include "surface/cover.glsl"

layout(local_size_x = 128) in;  // BLOCK_TRIANGLES

const int MOST_PIECES = 640;      // of a block
const int MOST_OF_TRIANGLE = 64;  // pieces of a triangle; the group draws larger ones

shared vec4 clips[ROW * ROW];
shared int shared_level;
shared uint shared_count;
shared uint shared_triangles[BLOCK_TRIANGLES];
shared int piece_count;
shared uint pieces[MOST_PIECES];  // low 16 bits: triangle of the block; high 16 bits: piece of the triangle

// Intersection with the near plane of an edge from a corner ahead of it to one behind it.
vec4 cut(vec4 ahead, vec4 behind) {
    precise vec4 point = mix(ahead, behind, (ahead.w - NEAREST) / (ahead.w - behind.w));
    return vec4(point.xyz, NEAREST);
}

// Draws a triangle with all invocations of the work group.
void draw_by_group(Corners t, uint number) {
    if (orient(t, eye.w < 0.0)) draw_share(t, number, int(gl_LocalInvocationIndex), BLOCK_TRIANGLES);
}

// Clips a triangle to the near plane and draws the rest: one triangle or two.
void draw_cut(vec4 a, vec4 b, vec4 c, uint number) {
    int ahead = int(a.w >= NEAREST) + int(b.w >= NEAREST) + int(c.w >= NEAREST);
    bool wanted = ahead == 1;  // rotate until corner a is the one alone on its side of the plane
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

// Clip coordinates of the corners of a triangle of the block.
mat3x4 corners_of(uint triangle, int cells) {
    ivec2[3] at = triangle_corners(int(triangle), cells);
    int row = cells + 1;
    return mat3x4(clips[at[0].y * row + at[0].x], clips[at[1].y * row + at[1].x], clips[at[2].y * row + at[2].x]);
}

Corners projected(mat3x4 clip) { return Corners(projected(clip[0]), projected(clip[1]), projected(clip[2])); }

// Appends the pieces of a triangle to the shared list. Returns false if there are too many.
bool list_pieces(Corners t, uint triangle) {
    int count = find_pieces(t).count;
    if (count == 0) return true;
    if (count < 0 || count > MOST_OF_TRIANGLE) return false;
    int first = atomicAdd(piece_count, count);
    bool fits = first + count <= MOST_PIECES;
    for (int i = 0; i < count && first + i < MOST_PIECES; ++i)
        pieces[first + i] = fits ? uint(i) << 16u | triangle : NOTHING;
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
