#version 430
#if ATOMIC64
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_NV_shader_atomic_int64 : require
#endif
// The sea's triangles onto the picture's samples. A work group draws a block of the mesh: it computes each vertex once, then
// each invocation draws a triangle. Those that cover many samples, or reach behind the eye, are drawn by all invocations. From
// above the water none is seen from below: there is always one before it that is not.
#include "surface/vertex.glsl"
#include "surface/numbers.glsl"
#include "surface/cover.glsl"

layout(local_size_x = 128) in;  // BLOCK_TRIANGLES

const int ROW = BLOCK + 1;

shared vec4 clips[ROW * ROW];
shared int shared_level;
shared uint shared_count;
shared uint shared_triangles[BLOCK_TRIANGLES];

// Where an edge from a corner ahead of the nearest plane to one behind it meets that.
vec4 cut(vec4 ahead, vec4 behind) {
    precise vec4 point = mix(ahead, behind, (ahead.w - NEAREST) / (ahead.w - behind.w));
    return vec4(point.xyz, NEAREST);
}

void draw_by_all(Corners t, uint number) {
    if (turned(t, eye.w < 0.0)) draw_share(t, number, int(gl_LocalInvocationIndex), BLOCK_TRIANGLES);
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
        draw_by_all(Corners(projected(a), projected(b), projected(c)), number);
    } else if (ahead == 1) {
        draw_by_all(Corners(projected(a), projected(cut(a, b)), projected(cut(a, c))), number);
    } else if (ahead == 2) {
        vec3 left = projected(cut(b, a)), right = projected(cut(c, a));
        draw_by_all(Corners(left, projected(b), projected(c)), number);
        draw_by_all(Corners(left, projected(c), right), number);
    }
}

void main() {
    uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * groups[0];
    int t = int(gl_LocalInvocationIndex);
    if (group >= first_group[level_count]) return;
    if (t == 0) shared_count = 0u;
    if (t < level_count && group >= first_group[t] && group < first_group[t + 1]) shared_level = t;
    memoryBarrierShared();
    barrier();
    Block block = find_block(group, shared_level);
    Level level = levels[block.level];
    vec2 corner = level.corner + vec2(block.square) * level.side + level.cell * vec2(block.corner);
    if (is_outside(corner, level.cell * float(block.cells), levels[block.level + 1].cell)) return;
    int row = block.cells + 1;
    if (t < row * row)
        clips[t] = view_projection * vec4(displaced(mesh_vertex(block.level, block.square, block.corner + ivec2(t % row, t / row))), 1.0);
    memoryBarrierShared();
    barrier();

    if (t < 2 * block.cells * block.cells) {
        ivec2[3] corners = triangle_corners(t, block.cells);
        vec4 a = clips[corners[0].y * row + corners[0].x], b = clips[corners[1].y * row + corners[1].x], c = clips[corners[2].y * row + corners[2].x];
        float nearest = min(a.w, min(b.w, c.w)), farthest = max(a.w, max(b.w, c.w));
        if (nearest >= NEAREST) {
            Corners own = Corners(projected(a), projected(b), projected(c));
            if (turned(own, eye.w < 0.0) && !draw_small(own, group * uint(BLOCK_TRIANGLES) + uint(t)))
                shared_triangles[atomicAdd(shared_count, 1u)] = uint(t);
        } else if (farthest > NEAREST) {
            shared_triangles[atomicAdd(shared_count, 1u)] = uint(t);
        }
    }
    memoryBarrierShared();
    barrier();
    for (uint i = 0u; i < shared_count; ++i) {
        uint triangle = shared_triangles[i];
        ivec2[3] corners = triangle_corners(int(triangle), block.cells);
        vec4 a = clips[corners[0].y * row + corners[0].x], b = clips[corners[1].y * row + corners[1].x], c = clips[corners[2].y * row + corners[2].x];
        draw_cut(a, b, c, group * uint(BLOCK_TRIANGLES) + triangle);
    }
}
