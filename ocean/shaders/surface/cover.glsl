// Which samples a triangle covers, and what of it each of them keeps: the nearest, and of two as near the one with the lower
// number. So a frame is the same in whichever order its triangles come.
//
// A triangle of the sea is a pixel wide, and for triangles that small a loop over their boxes beats the hardware (Karis, Stubbe
// and Wihlidal 2021). With 64-bit atomics (ATOMIC64) distance and number are compared at once. Without, STEP 0 finds the
// nearest distance, and STEP 1 the lowest number at that distance.
#include "surface/samples.glsl"

#if ATOMIC64
layout(std430, binding = STORAGE_SEEN) buffer Seen { uint64_t seen[]; };
#else
layout(std430, binding = STORAGE_SEEN) coherent buffer Seen { uint seen[]; };
#endif

const float GRID = 1024.0;   // corners lie on 1 / GRID of a pixel, as samples do: their differences are exact
const float NEAREST = 0.05;  // m ahead of the eye, at which triangles are cut off
const int PIECE = 32;        // samples of a row that an invocation goes through at once, at most

// A corner in pixels, and (z) its distance along the line of sight [m].
vec3 projected(vec4 clip) {
    return vec3(round((clip.xy / clip.w * 0.5 + 0.5) * vec2(picture) * GRID) / GRID, clip.w);
}

// Edges are computed from the same end in both of their triangles, so that both get the same bits, and a sample on an edge is
// in one of them.
struct Edge { vec2 from, along; float sign_; };

Edge make_edge(vec2 a, vec2 b) {
    return a.y < b.y || (a.y == b.y && a.x < b.x) ? Edge(a, b - a, 1.0) : Edge(b, a - b, -1.0);
}

float doubled_area(Edge edge, vec2 p) {
    precise vec2 away = edge.from - p;
    precise float area = away.x * edge.along.y - away.y * edge.along.x;
    return edge.sign_ * area;
}

bool is_inside(Edge edge, float area) { return area > 0.0 || (area == 0.0 && edge.sign_ > 0.0); }

struct Corners { vec3 a, b, c; };  // counter-clockwise

vec2 lowest(Corners t) { return max(min(t.a.xy, min(t.b.xy, t.c.xy)), 0.0); }
vec2 highest(Corners t) { return min(max(t.a.xy, max(t.b.xy, t.c.xy)), vec2(picture)); }

// Of a strip, the samples that may lie in a box: the first and the last one. None is nearer to the sides of its part than half
// of what they are shifted by.
ivec4 samples_in(Strip strip, vec2 low, vec2 high) {
    vec2 count = vec2(strip.columns, strip.rows), base = vec2(0.0, strip.bottom), margin = 0.5 / count.yx;
    if (strip.rows > FEW_ROWS) margin.y = 0.5;
    ivec2 first = ivec2(ceil((low - base) * count - 1.0 + margin)), last = ivec2(floor((high - base) * count - margin));
    return ivec4(max(first, ivec2(0)), min(last, ivec2(count * vec2(picture.x, strip.top - strip.bottom)) - 1));
}

void keep(uint index, float nearness, uint number) {
    uint far = ~floatBitsToUint(nearness);
#if COUNTS
    atomicAdd(seen[2u * index], 1u);  // of triangles, less 1
#elif ATOMIC64
    uint64_t key = packUint2x32(uvec2(number, far));
    if (key < seen[index]) atomicMin(seen[index], key);
#elif STEP == 0
    if (far < seen[2u * index + 1u]) atomicMin(seen[2u * index + 1u], far);
#else
    if (far == seen[2u * index + 1u]) atomicMin(seen[2u * index], number);
#endif
}

// A triangle as its samples ask for it.
struct Drawn {
    Edge ab, bc, ca;
    vec3 nearness;  // of its corners [1/m]
    uint number;
};

Drawn drawn(Corners t, uint number) {
    precise vec3 nearness = 1.0 / vec3(t.a.z, t.b.z, t.c.z);
    return Drawn(make_edge(t.a.xy, t.b.xy), make_edge(t.b.xy, t.c.xy), make_edge(t.c.xy, t.a.xy), nearness, number);
}

// Shows it to a sample of a strip.
void show(Drawn t, Strip strip, vec2 part, ivec2 place) {
    vec2 p = (vec2(place) + sample_offset(strip, part, place)) * part + vec2(0.0, strip.bottom);
    float a = doubled_area(t.bc, p), b = doubled_area(t.ca, p), c = doubled_area(t.ab, p);
    if (!(is_inside(t.bc, a) && is_inside(t.ca, b) && is_inside(t.ab, c))) return;
    precise float sum = a + b + c;
    precise float near = (a * t.nearness.x + b * t.nearness.y + c * t.nearness.z) / sum;
    if (sum > 0.0) keep(sample_at(strip, place), near, t.number);
}

// The samples that a triangle's box holds, where it lies in one strip: rows cut into pieces of equal lengths.
struct Pieces {
    int strip;
    ivec4 box;   // first and last sample
    int across;  // pieces of a row
    int count;   // -1 where the box lies in several strips
};

Pieces find_pieces(Corners t) {
    vec2 low = lowest(t), high = highest(t);
    int s = strip_at(low.y);
    Pieces found = Pieces(s, samples_in(strips[s], low, high), 0, 0);
    if (any(lessThan(high, low))) return found;
    ivec2 sides = found.box.zw - found.box.xy + 1;
    found.across = (sides.x + PIECE - 1) / PIECE;
    found.count = high.y >= float(strips[s].top) ? -1 : all(greaterThan(sides, ivec2(0))) ? found.across * sides.y : 0;
    return found;
}

// Draws one piece of a triangle.
void draw_piece(Corners t, uint number, int piece) {
    Pieces pieces = find_pieces(t);
    Strip strip = strips[pieces.strip];
    int length_ = (pieces.box.z - pieces.box.x + pieces.across) / pieces.across;
    int first = pieces.box.x + piece % pieces.across * length_, last = min(first + length_ - 1, pieces.box.z);
    Drawn triangle = drawn(t, number);
    vec2 part = part_of(strip);
    for (int x = first; x <= last; ++x) show(triangle, strip, part, ivec2(x, pieces.box.y + piece / pieces.across));
}

// Draws every so manyth sample of a triangle.
void draw_share(Corners t, uint number, int start, int stride) {
    vec2 low = lowest(t), high = highest(t);
    if (any(lessThan(high, low))) return;
    Drawn triangle = drawn(t, number);
    for (int s = strip_at(low.y); s < strip_count && high.y >= float(strips[s].bottom); ++s) {
        Strip strip = strips[s];
        ivec4 box = samples_in(strip, low, high);
        int across = max(box.z - box.x + 1, 0), all = across * max(box.w - box.y + 1, 0);
        vec2 part = part_of(strip);
        for (int i = start; i < all; i += stride) show(triangle, strip, part, box.xy + ivec2(i % across, i / across));
    }
}

// Corners counter-clockwise; false where the triangle has no area, or is `culled` as it faces away.
bool turned(inout Corners t, bool culled) {
    float area = doubled_area(make_edge(t.a.xy, t.b.xy), t.c.xy);
    if (area < 0.0) t = Corners(t.a, t.c, t.b);
    return culled ? area > 0.0 : area != 0.0;
}
