// Visibility buffer (Burns and Hunt 2013): from the number of a sample's triangle to the point that the sample shows
// and its derivatives along the picture's axes.
#include "surface/visibility_sample.glsl"
#include "surface/vertex.glsl"
#include "surface/numbers.glsl"
#include "surface/samples.glsl"

layout(std430, binding = STORAGE_SEEN) buffer Seen { uvec2 seen[]; };  // x is the triangle's number

struct Barycentrics { vec3 at, dx, dy; };  // at a point, and derivatives [1/pixel]

// Perspective-correct barycentric coordinates at a point of the picture [pixels], from the corners' clip coordinates.
// They are computed in homogeneous coordinates (Olano and Greer 1997), which need no clipping, with the origin moved to
// the point, so that small triangles lose no digits.
Barycentrics barycentrics(vec4 clips[3], vec2 point) {
    vec3 w = vec3(clips[0].w, clips[1].w, clips[2].w);
    vec3 x = (0.5 * vec3(clips[0].x, clips[1].x, clips[2].x) + 0.5 * w) * float(picture.x) - point.x * w;
    vec3 y = (0.5 * vec3(clips[0].y, clips[1].y, clips[2].y) + 0.5 * w) * float(picture.y) - point.y * w;
    vec3 at = cross(x, y), dx = cross(y, w), dy = cross(w, x);
    float sum = at.x + at.y + at.z;
    sum = abs(sum) < 1e-30 ? 1e-30 : sum;
    at /= sum;
    return Barycentrics(at, (dx - at * (dx.x + dx.y + dx.z)) / sum, (dy - at * (dy.x + dy.y + dy.z)) / sum);
}

struct Triangle { Vertex corners[3]; vec4 clips[3]; int level; };

// A vertex of a block: read if raster.comp had memory to keep it, else computed again without rollers, which would take registers
// from all pictures.
Vertex vertex_of(Block block, ivec2 corner) {
    uint at = block.place * uint(ROW * ROW) + uint(corner.y * (block.cells + 1) + corner.x);
    if (at >= uint(vertices.length())) return wave_vertex(block.level, block.square, block.corner + corner);
    vec4 kept = vertices[at];
    return Vertex(still_vertex(block.level, block.square, block.corner + corner), kept.xyz, kept.w);
}

vec4 clip_of(Vertex vertex) { return view_projection * vec4(vertex.relative, 1.0); }

// Returns a triangle of the mesh from its number.
Triangle find_triangle(uint number) {
    Block block = block_of(number / uint(BLOCK_TRIANGLES));
    ivec2[3] at = triangle_corners(int(number) % BLOCK_TRIANGLES, block.cells);
    // No loop: an array with a variable index would lie in memory instead of registers.
    Vertex a = vertex_of(block, at[0]), b = vertex_of(block, at[1]), c = vertex_of(block, at[2]);
    return Triangle(Vertex[3](a, b, c), vec4[3](clip_of(a), clip_of(b), clip_of(c)), block.level);
}

#if HIDES
const float STEEPEST_FACE = 3.0;  // bound of a triangle's slope, which is infinite in a fold
#endif

// Returns the visibility sample of a triangle at a point of the picture [pixels], with the footprint of a cell of this
// size [pixels].
VisibilitySample visibility_sample(Triangle t, vec2 point, vec2 cell) {
    Barycentrics w = barycentrics(t.clips, point);
    mat3x2 still = mat3x2(t.corners[0].still, t.corners[1].still, t.corners[2].still);
    mat3 relative = mat3(t.corners[0].relative, t.corners[1].relative, t.corners[2].relative);
    float log_cell = dot(w.at, vec3(t.corners[0].log_cell, t.corners[1].log_cell, t.corners[2].log_cell));
    vec2 dx = cell.x * (still * w.dx), dy = cell.y * (still * w.dy);
    VisibilitySample found = flat_sample(still * w.at, relative * w.at, dx, dy, exp2(log_cell), point);
#if HIDES
    vec2 from_x = still[1] - still[0], from_y = still[2] - still[0];
    vec3 onto_x = relative[1] - relative[0], onto_y = relative[2] - relative[0], normal = cross(onto_y, onto_x);
    normal = normal.y < 0.0 ? -normal : normal;
    found.face = -normal.xz / max(normal.y, length(normal.xz) / STEEPEST_FACE + 1e-30);
    found.strain = mesh_strain(mat2(from_x, from_y), mat2(onto_x.xz, onto_y.xz));
#endif
    return found;
}
