// Rasterises triangles onto the samples of the picture. Each sample keeps the nearest triangle, and of two equally near
// triangles the one with the lower number, so that their order does not matter. For triangles as small as a pixel, a
// loop over the bounding box in a compute shader is faster than the hardware's raster (Karis, Stubbe and Wihlidal
// 2021). With 64-bit atomics (ATOMIC64), one operation compares distance and number. Without them, a first dispatch finds
// the nearest distance and a second one the lowest number at that distance. Both run one program, so that they compute
// the same bits; a block tells them apart, because drivers compile variants for the values of plain uniforms. Extensions
// come before all code, so shaders include this file first.
#if ATOMIC64
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_NV_shader_atomic_int64 : require
#endif
#include "surface/samples.glsl"

#if ATOMIC64
layout(std430, binding = STORAGE_SEEN) buffer Seen { uint64_t seen[]; };
#else
layout(std430, binding = STORAGE_SEEN) coherent buffer Seen { uint seen[]; };
layout(std140, binding = BLOCK_RASTER) uniform Raster { bool finds_numbers; };  // in the second dispatch
#endif

const float GRID = 1024.0;   // corners and samples lie on a grid of 1 / GRID pixel, so that differences are exact
const float NEAREST = 0.05;  // m: distance of the near plane, which clips triangles
const float ROUNDED = 0.25;  // samples: bound of the rounding of an edge's position in a row
const int PIECE = 32;        // samples: largest length of the piece of a row that one invocation tests

// Position of a corner in the picture [pixels], and (z) its distance along the line of sight [m].
vec3 projected(vec4 clip) {
    return vec3(round((clip.xy / clip.w * 0.5 + 0.5) * vec2(picture) * GRID) / GRID, clip.w);
}

// An edge of a triangle, from the same end for both its triangles, so that a sample on it lies in exactly one of them.
struct Edge { vec2 from, along; float sign_; };

Edge make_edge(vec2 a, vec2 b) {
    return a.y < b.y || (a.y == b.y && a.x < b.x) ? Edge(a, b - a, 1.0) : Edge(b, a - b, -1.0);
}

// Twice the signed area of the triangle of an edge and a point [pixels²], the edge function of Pineda (1988).
float doubled_area(Edge edge, vec2 p) {
    precise vec2 away = edge.from - p;
    precise float area = away.x * edge.along.y - away.y * edge.along.x;
    return edge.sign_ * area;
}

// Whether a point with this edge function is inside; of two triangles that share the edge, one owns the points on it.
bool is_inside(Edge edge, float area) { return area > 0.0 || (area == 0.0 && edge.sign_ > 0.0); }

struct Corners { vec3 a, b, c; };  // counter-clockwise, as `projected` computes them

// Bounding box in the picture [pixels].
vec2 lowest(Corners t) { return max(min(t.a.xy, min(t.b.xy, t.c.xy)), 0.0); }
vec2 highest(Corners t) { return min(max(t.a.xy, max(t.b.xy, t.c.xy)), vec2(picture)); }

// First (xy) and last (zw) column and row of a strip's samples that may lie in a box [pixels]. The margin is the
// smallest distance of a sample to the sides of its part of the pixel.
ivec4 samples_in(Strip strip, vec2 low, vec2 high) {
    vec2 count = vec2(strip.columns, strip.rows), base = vec2(0.0, strip.bottom), margin = 0.5 / count.yx;
    if (strip.rows > FEW_ROWS) margin.y = 0.5;
    ivec2 first = ivec2(ceil((low - base) * count - 1.0 + margin)), last = ivec2(floor((high - base) * count - margin));
    return ivec4(max(first, ivec2(0)), min(last, ivec2(count * vec2(picture.x, strip.top - strip.bottom)) - 1));
}

// Stores a triangle in a sample unless the sample has a nearer one; `nearness` is 1 / distance [1/m]. With COUNTS it
// counts the triangle instead; the counter starts at -1.
void keep_nearest(uint index, float nearness, uint number) {
    uint far = ~floatBitsToUint(nearness);
#if COUNTS
    atomicAdd(seen[2u * index], 1u);
#elif ATOMIC64
    uint64_t key = packUint2x32(uvec2(number, far));
    atomicMin(seen[index], key);  // without a read before, which would stall the invocation
#else
    if (!finds_numbers) atomicMin(seen[2u * index + 1u], far);
    else if (far == seen[2u * index + 1u]) atomicMin(seen[2u * index], number);
#endif
}

// Values that the tests of all samples of a triangle share.
struct TriangleSetup {
    Edge ab, bc, ca;
    vec3 nearness;  // 1 / distance of the corners [1/m]
    uint number;
};

TriangleSetup set_up_triangle(Corners t, uint number) {
    precise vec3 nearness = 1.0 / vec3(t.a.z, t.b.z, t.c.z);
    return TriangleSetup(make_edge(t.a.xy, t.b.xy), make_edge(t.b.xy, t.c.xy), make_edge(t.c.xy, t.a.xy), nearness, number);
}

// Tests one sample of a strip and, if the triangle covers it, stores the triangle there. Nearness is linear over the
// picture, so the barycentric mean is exact.
void test_sample(TriangleSetup t, Strip strip, vec2 part, ivec2 index) {
    vec2 p = (vec2(index) + sample_offset(strip, part, index)) * part + vec2(0.0, strip.bottom);
    float a = doubled_area(t.bc, p), b = doubled_area(t.ca, p), c = doubled_area(t.ab, p);
    if (!(is_inside(t.bc, a) && is_inside(t.ca, b) && is_inside(t.ab, c))) return;
    precise float sum = a + b + c;
    precise float near = (a * t.nearness.x + b * t.nearness.y + c * t.nearness.z) / sum;
    if (sum > 0.0) keep_nearest(sample_at(strip, index), near, t.number);
}

// The samples of a strip in a triangle's bounding box; each row is cut into pieces of equal lengths.
struct Pieces {
    ivec4 box;   // first and last sample, from `samples_in`
    int across;  // pieces in a row
    int count;   // all pieces
};

Pieces find_pieces(Corners t, int strip) {
    ivec4 box = samples_in(strips[strip], lowest(t), highest(t));
    ivec2 sides = max(box.zw - box.xy + 1, 0);
    int across = (sides.x + PIECE - 1) / PIECE;
    return Pieces(box, across, across * sides.y);
}

// Narrows columns (first, last) of samples at a height y [pixels] to those that an edge's side may cover. `across` is the
// width of their parts, `shift` the position of samples in them.
void narrow(Edge edge, float y, float across, float shift, inout vec2 columns) {
    if (edge.along.y <= 0.0) return;
    float crossing = (edge.from.x + (y - edge.from.y) * edge.along.x / edge.along.y) / across - shift;
    if (edge.sign_ > 0.0) columns.y = min(columns.y, crossing + ROUNDED);
    else columns.x = max(columns.x, crossing - ROUNDED);
}

// Tests the samples of one piece of a triangle in a strip.
void draw_piece(Corners t, uint number, int strip_number, int piece) {
    Strip strip = strips[strip_number];
    Pieces pieces = find_pieces(t, strip_number);
    float across = float(pieces.across);
    int length_ = int(float(pieces.box.z - pieces.box.x + pieces.across) / across), row = int((float(piece) + 0.5) / across);
    int first = pieces.box.x + (piece - row * pieces.across) * length_, last = min(first + length_ - 1, pieces.box.z);
    TriangleSetup triangle = set_up_triangle(t, number);
    vec2 part = part_of(strip);
    int y = pieces.box.y + row;
    vec2 columns = vec2(first, last);
    if (strip.rows > FEW_ROWS) {  // samples of a row lie at one height
        vec2 offset = sample_offset(strip, part, ivec2(first, y));
        float height = (float(y) + offset.y) * part.y + float(strip.bottom);
        narrow(triangle.ab, height, part.x, offset.x, columns);
        narrow(triangle.bc, height, part.x, offset.x, columns);
        narrow(triangle.ca, height, part.x, offset.x, columns);
    }
    if (columns.x > columns.y) return;  // either may be too large for an int
    for (int x = int(ceil(columns.x)); float(x) <= columns.y; ++x) test_sample(triangle, strip, part, ivec2(x, y));
}

// Tests the samples start, start + stride, ... of a triangle's bounding box, in all strips.
void draw_share(Corners t, uint number, int start, int stride) {
    vec2 low = lowest(t), high = highest(t);
    if (any(lessThan(high, low))) return;
    TriangleSetup triangle = set_up_triangle(t, number);
    for (int s = strip_at(low.y); s < strip_count && high.y >= float(strips[s].bottom); ++s) {
        Strip strip = strips[s];
        ivec4 box = samples_in(strip, low, high);
        int across = max(box.z - box.x + 1, 0), all = across * max(box.w - box.y + 1, 0);
        vec2 part = part_of(strip);
        for (int i = start; i < all; i += stride)
            test_sample(triangle, strip, part, box.xy + ivec2(i % across, i / across));
    }
}

// Orders the corners counter-clockwise. Returns false if the triangle has no area, or faces away with `cull_back`.
bool orient(inout Corners t, bool cull_back) {
    float area = doubled_area(make_edge(t.a.xy, t.b.xy), t.c.xy);
    if (area < 0.0) t = Corners(t.a, t.c, t.b);
    return cull_back ? area > 0.0 : area != 0.0;
}
