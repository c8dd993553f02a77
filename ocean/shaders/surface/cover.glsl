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
const int SMALL = 96;        // samples in the box of a triangle that one invocation may go through

// A corner in pixels, and (z) its distance along the line of sight [m].
vec3 projected(vec4 clip) {
    return vec3(round((clip.xy / clip.w * 0.5 + 0.5) * vec2(picture) * GRID) / GRID, clip.w);
}

// Edges are computed from the same end in both of their triangles, so that both get the same bits, and a sample on an edge is
// in one of them.
struct Edge { vec2 from, to; float sign_; };

Edge make_edge(vec2 a, vec2 b) {
    return a.y < b.y || (a.y == b.y && a.x < b.x) ? Edge(a, b, 1.0) : Edge(b, a, -1.0);
}

float doubled_area(Edge edge, vec2 p) {
    precise vec2 a = edge.from - p, b = edge.to - p;
    precise float area = a.x * b.y - a.y * b.x;
    return edge.sign_ * area;
}

bool is_inside(Edge edge, float area) { return area > 0.0 || (area == 0.0 && edge.sign_ > 0.0); }

struct Corners { vec3 a, b, c; };  // counter-clockwise

vec2 lowest(Corners t) { return max(min(t.a.xy, min(t.b.xy, t.c.xy)), 0.0); }
vec2 highest(Corners t) { return min(max(t.a.xy, max(t.b.xy, t.c.xy)), vec2(picture) - 1.0 / GRID); }

// Of a strip, the samples in whose parts a box lies: first ones and how many.
ivec4 samples_in(Strip strip, vec2 low, vec2 high) {
    vec2 count = vec2(strip.columns, strip.rows), base = vec2(0.0, strip.bottom);
    ivec2 first = ivec2(floor((max(low, base) - base) * count));
    ivec2 last = ivec2(floor((min(high, vec2(picture.x, strip.top) - 1.0 / GRID) - base) * count));
    return ivec4(first, max(last - first + 1, 0));
}

void keep(int index, float nearness, uint number) {
    uint far = ~floatBitsToUint(nearness);
#if COUNTS
    atomicAdd(seen[2 * index], 1u);  // of triangles, less 1
#elif ATOMIC64
    uint64_t key = packUint2x32(uvec2(number, far));
    if (key < seen[index]) atomicMin(seen[index], key);
#elif STEP == 0
    if (far < seen[2 * index + 1]) atomicMin(seen[2 * index + 1], far);
#else
    if (far == seen[2 * index + 1]) atomicMin(seen[2 * index], number);
#endif
}

// Shows a triangle to every so manyth of its samples.
void cover(Corners t, uint number, int start, int stride) {
    Edge ab = make_edge(t.a.xy, t.b.xy), bc = make_edge(t.b.xy, t.c.xy), ca = make_edge(t.c.xy, t.a.xy);
    vec2 low = lowest(t), high = highest(t);
    precise vec3 nearness = 1.0 / vec3(t.a.z, t.b.z, t.c.z);
    for (int s = 0; s < strip_count; ++s) {
        Strip strip = strips[s];
        if (high.y < float(strip.bottom) || low.y >= float(strip.top)) continue;
        ivec4 box = samples_in(strip, low, high);
        vec2 part = 1.0 / vec2(strip.columns, strip.rows);
        for (int i = start; i < box.z * box.w; i += stride) {
            ivec2 place = box.xy + ivec2(i % box.z, i / box.z);
            vec2 p = (vec2(place) + sample_offset(strip, place)) * part + vec2(0.0, strip.bottom);
            float a = doubled_area(bc, p), b = doubled_area(ca, p), c = doubled_area(ab, p);
            if (!(is_inside(bc, a) && is_inside(ca, b) && is_inside(ab, c))) continue;
            precise float sum = a + b + c;
            if (sum <= 0.0) continue;
            precise float near = (a * nearness.x + b * nearness.y + c * nearness.z) / sum;
            keep(sample_at(strip, place), near, number);
        }
    }
}

// Whether a triangle has samples in its box, and (as how many) whether that is for one invocation.
int box_size(Corners t) {
    vec2 low = lowest(t), high = highest(t);
    if (any(lessThan(high, low))) return 0;
    int sum = 0;
    for (int s = 0; s < strip_count; ++s) {
        if (high.y < float(strips[s].bottom) || low.y >= float(strips[s].top)) continue;
        ivec4 box = samples_in(strips[s], low, high);
        sum += box.z * box.w;
    }
    return sum;
}

// Corners counter-clockwise, whichever way the triangle faces; false where it has no area.
bool turned(inout Corners t) {
    float area = doubled_area(make_edge(t.a.xy, t.b.xy), t.c.xy);
    if (area < 0.0) t = Corners(t.a, t.c, t.b);
    return area != 0.0;
}
