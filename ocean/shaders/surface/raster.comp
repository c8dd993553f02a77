#version 430
// Rasterises the sea's triangles onto the samples. A work group draws one of the blocks that cull.comp has listed: it
// computes each vertex once, and each invocation sets up a triangle. Triangles cover from none to dozens of samples, so
// they are cut into pieces that the invocations share evenly. The whole group draws triangles that cover many samples
// or cross the near plane. Above water, back faces are culled: a front face is always nearer.
#include "surface/cover.glsl"
#include "common/group.glsl"
#include "surface/vertex.glsl"
#include "surface/numbers.glsl"

layout(local_size_x = 128) in;  // BLOCK_TRIANGLES

const int MOST_PIECES = 640;      // most pieces of a block
const int MOST_OF_TRIANGLE = 64;  // most pieces of a triangle; the group draws larger ones

shared vec4 points[ROW * ROW];  // position in the picture (xy) and distance (w); clip coordinates behind the near plane
shared uint shared_count;
shared uint shared_triangles[BLOCK_TRIANGLES];
shared int piece_count;
shared uint pieces[MOST_PIECES];  // 16 bits for a triangle of the block, 12 for its piece, 4 for its strip

// Intersection with the near plane of an edge from a point ahead of it to one behind it.
vec3 cut(vec4 ahead, vec4 behind) {
    vec2 from = (2.0 * ahead.xy / vec2(picture) - 1.0) * ahead.w;
    precise vec2 clip = mix(from, behind.xy, (ahead.w - NEAREST) / (ahead.w - behind.w));
    return projected(vec4(clip, 0.0, NEAREST));
}

// Draws a triangle with all invocations of the work group.
void draw_by_group(Corners t, uint number) {
    if (orient(t, eye.w < 0.0)) draw_share(t, number, int(gl_LocalInvocationIndex), BLOCK_TRIANGLES);
}

// Clips a triangle to the near plane and draws the rest: one triangle or two.
void draw_cut(vec4 a, vec4 b, vec4 c, uint number) {
    int ahead = int(a.w >= NEAREST) + int(b.w >= NEAREST) + int(c.w >= NEAREST);
    bool wanted = ahead == 1;  // rotate until corner a is alone on its side of the plane
    for (int turn = 0; turn < 2 && (a.w >= NEAREST) != wanted; ++turn) {
        vec4 first = a;
        a = b; b = c; c = first;
    }
    if (ahead == 3) {
        draw_by_group(Corners(a.xyw, b.xyw, c.xyw), number);
    } else if (ahead == 1) {
        draw_by_group(Corners(a.xyw, cut(a, b), cut(a, c)), number);
    } else if (ahead == 2) {
        vec3 left = cut(b, a), right = cut(c, a);
        draw_by_group(Corners(left, b.xyw, c.xyw), number);
        draw_by_group(Corners(left, c.xyw, right), number);
    }
}

// Points of the corners of a triangle of the block.
mat3x4 corners_of(uint triangle, int cells) {
    ivec2[3] at = triangle_corners(int(triangle), cells);
    int row = cells + 1;
    return mat3x4(points[at[0].y * row + at[0].x], points[at[1].y * row + at[1].x], points[at[2].y * row + at[2].x]);
}

Corners ahead_of_plane(mat3x4 point) { return Corners(point[0].xyw, point[1].xyw, point[2].xyw); }

// Appends the pieces of a triangle to the shared list. Returns false if there are too many.
bool list_pieces(Corners t, uint triangle) {
    float high = highest(t).y;
    int first = strip_at(lowest(t).y), end = first, all = 0;
    for (; end < strip_count && high >= float(strips[end].bottom); ++end) all += find_pieces(t, end).count;
    if (all == 0) return true;
    if (all > MOST_OF_TRIANGLE) return false;
    int at = atomicAdd(piece_count, all);
    bool fits = at + all <= MOST_PIECES;
    for (int s = first; s < end; ++s) {
        int count = find_pieces(t, s).count;
        for (int i = 0; i < count && at < MOST_PIECES; ++i, ++at)
            pieces[at] = fits ? uint(s) << 28u | uint(i) << 16u | triangle : NOTHING;
    }
    return fits;
}

void main() {
    uint place = gl_WorkGroupID.x + gl_WorkGroupID.y * BLOCKS_IN_ROW, number = place;
    int t = int(gl_LocalInvocationIndex);
    bool is_list = in_view <= most_listed();
    if (place >= (is_list ? in_view : first_block[level_count])) return;
    if (is_list) number = blocks[place];
    if (t == 0) {
        shared_count = 0u;
        piece_count = 0;
    }
    Block block = block_of(number);
    int row = block.cells + 1;
    if (t < row * row) {
        int y = int((float(t) + 0.5) / float(row));
        Vertex vertex = mesh_vertex(block.level, block.square, block.corner + ivec2(t - y * row, y));
        vec4 clip = view_projection * vec4(vertex.relative, 1.0);
        points[t] = clip.w < NEAREST ? clip : projected(clip).xyxz;
        uint at = place * uint(ROW * ROW) + uint(t);
        if (at < uint(vertices.length())) vertices[at] = vec4(vertex.relative, vertex.log_cell);
    }
    wait_for_group();

    uint first_number = number * uint(BLOCK_TRIANGLES);
    if (t < 2 * block.cells * block.cells) {
        mat3x4 point = corners_of(uint(t), block.cells);
        bvec3 ahead = greaterThanEqual(vec3(point[0].w, point[1].w, point[2].w), vec3(NEAREST));
        bool by_all = any(ahead);
        if (all(ahead)) {
            Corners corners = ahead_of_plane(point);
            by_all = orient(corners, eye.w < 0.0) && !list_pieces(corners, uint(t));
        }
        if (by_all) shared_triangles[atomicAdd(shared_count, 1u)] = uint(t);
    }
    wait_for_group();
    for (int i = t; i < min(piece_count, MOST_PIECES); i += BLOCK_TRIANGLES) {
        if (pieces[i] == NOTHING) continue;
        uint triangle = pieces[i] & 0xffffu;
        Corners corners = ahead_of_plane(corners_of(triangle, block.cells));
        orient(corners, false);
        draw_piece(corners, first_number + triangle, int(pieces[i] >> 28u), int(pieces[i] >> 16u & 0xfffu));
    }
    for (uint i = 0u; i < shared_count; ++i) {
        mat3x4 point = corners_of(shared_triangles[i], block.cells);
        draw_cut(point[0], point[1], point[2], first_number + shared_triangles[i]);
    }
}
