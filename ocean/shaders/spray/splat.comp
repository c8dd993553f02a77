#version 430
// Draws the drops of a cell: each invocation sets one up, and all of them draw each drop together. A drop stands for many of
// nearly equal size that left the crest together. Drag sorts them by size along a line, from which motion draws a streak.
// Sums are integers, so that their order does not matter.
#include "common/view.glsl"
#include "common/group.glsl"
#include "surface/samples.glsl"
#include "spray/spray.glsl"
#if BY_HARDWARE
layout(binding = SAMPLER_VISIBILITY) uniform sampler2D visibility;
#endif

layout(local_size_x = 32) in;  // DROPS

layout(std430, binding = STORAGE_SPRAY_COUNT) readonly buffer Count { uint groups[3]; uint count; };
layout(std430, binding = STORAGE_SEEN) readonly buffer Seen { uvec2 seen[]; };  // y is the nearness of the sea, inverted

const float DROPS = 32.0;
const float PER_DROP = 0.25;     // active foam at which all slots of a cell emit
const float SHUTTER = 1.0 / 60.0;  // s
const float WIDTH = 0.1;         // radius of the drops that left together, in cells
const float SPREAD = 0.3;        // its growth by turbulence, in friction velocities
const float THROWN = 0.25;       // mean upward velocity by rollers, in speeds of the crest
const vec3 GUSTS = vec3(2.4, 1.25, 1.9);  // deviations of the wind along, up and across, in friction velocities
const float FADES = 0.5;         // fraction of the life after which drops thin out
const float NEAREST_DROP = 1.0;  // m
const float LARGEST = 96.0, LONGEST = 400.0;  // largest radius and length [pixels]

struct Splat {
    vec4 line;   // ends [pixels]
    vec4 look;   // radius [pixels], depth at the middle, distance [m], softness [m]
    ivec4 box;
};

shared Splat splats[32];
shared float lights[32];
shared uint found;

// Twice-differentiable normal deviates from three uniform numbers would be slower; the sum of three has the same variance.
float normal_of(float a, float b, float c) { return 2.0 * (a + b + c - 1.5); }

bool set_up(Cell cell, uint slot, out Splat splat) {
    float phase = cycle + (float(slot) + random(uvec4(cell.key.xyz, slot + 1u)).x) / DROPS;
    float turn = floor(phase), age = life * (phase - turn);
    uint born = uint((generation + int(turn)) % generations);
    vec4 a = random(uvec4(cell.key.xy, cell.key.z << 8u | slot, born)), b = random(uvec4(born, cell.key.xy, slot << 8u | 77u));
    vec4 c = random(uvec4(b * 16777216.0));
    // A slot emits with a probability, and drops fade as it falls: the mean is the foam.
    float full = min(cell.crest.w / PER_DROP, 1.0);
    if (a.x >= full) return false;
    float share = 2.0 * (1.0 - a.x / full) * max(cell.crest.w / PER_DROP, 1.0) * PER_DROP;

    float side = cell.state.y, height = max(cell.crest.y, 0.0) + 1.0, at = a.y * float(SPRAY_BOUNDS - 2);
    vec2 along = wind.xy, across = vec2(-wind.y, wind.x);
    vec3 gust = wind.z * GUSTS * vec3(normal_of(b.x, b.y, b.z), normal_of(b.w, c.x, c.y), normal_of(c.z, c.w, a.w));
    vec2 flat_air = air_velocity(height) + gust.x * along + gust.z * across;
    vec3 air = vec3(flat_air.x, gust.y, flat_air.y);
    float crest_speed = length(crests.xy), up = -log(1.0 - 0.999 * a.z) * THROWN * crest_speed;
    vec3 start = vec3(crests.x, up, crests.y);
    vec3 small, large, velocity, unused;
    int size = int(at);
    fly(mix(sizes[size].xy, sizes[size + 1].xy, fract(at)), start, air, age, small, velocity);
    fly(mix(sizes[size + 1].xy, sizes[size + 2].xy, fract(at)), start, air, age, large, unused);
    vec2 moved = side * (vec2(b.x, b.z) - 0.5);
    vec3 from = cell.crest.xyz + vec3(moved.x, 0.0, moved.y) - age * vec3(crests.x, 0.0, crests.y);
    vec4 head = view_projection * vec4(from + small + SHUTTER * velocity, 1.0), tail = view_projection * vec4(from + large, 1.0);
    float near = min(head.w, tail.w);
    if (near < NEAREST_DROP) return false;
    float scale = 0.5 * float(picture.y) * length(vec3(view_projection[0].y, view_projection[1].y, view_projection[2].y));
    float radius = WIDTH * side + SPREAD * wind.z * age, middle = 0.5 * (head.w + tail.w);
    vec2 p = (0.5 * head.xy / head.w + 0.5) * vec2(picture), q = (0.5 * tail.xy / tail.w + 0.5) * vec2(picture);
    float length_ = length(q - p), r = clamp(radius * scale / middle, 1.0, LARGEST);
    q = p + (q - p) * min(1.0, LONGEST / max(length_, 1e-3));
    length_ = min(length_, LONGEST);
    // The optical depth of a spindle with the profile (1 - x²)² across.
    float thins = min((1.0 - age / life) / (1.0 - FADES), 1.0) * smoothstep(NEAREST_DROP, 2.0 * NEAREST_DROP, near);
    float extinction = share * emitted * side * side * life / DROPS * thins * scale * scale / (middle * middle);
    float depth = extinction / (r * (length_ * 16.0 / 15.0 + r * PI / 3.0));
    splat.line = vec4(p, q);
    splat.look = vec4(r, depth, middle, max(radius, 0.1));
    splat.box = ivec4(max(floor(min(p, q) - r), vec2(0.0)), min(ceil(max(p, q) + r), vec2(picture)) - 1.0);
    return all(lessThanEqual(splat.box.xy, splat.box.zw)) && depth * UNIT > 0.5;
}

// Nearness of the visible water at a pixel [1/m]; 0 without water.
float water_nearness(ivec2 pixel) {
    float nearness = 0.0;
#if BY_HARDWARE
    float water = texelFetch(visibility, pixel, 0).z;
    if (water > 0.0) nearness = 1.0 / water;
#endif
#if !BY_HARDWARE || BUOY
    Strip strip = strips[strip_at(float(pixel.y))];
    if (pixel.y < strip.bottom || pixel.y >= strip.top) return nearness;
    ivec2 index = ivec2(strip.columns, strip.rows) * (pixel - ivec2(0, strip.bottom)) + ivec2(strip.columns, strip.rows) / 2;
    uvec2 nearest = seen[sample_at(strip, index)];
    if (nearest.x != NOTHING) nearness = max(nearness, uintBitsToFloat(~nearest.y));
#endif
    return nearness;
}

void draw(Splat splat, float lit, int start) {
    vec2 p = splat.line.xy, along = splat.line.zw - p;
    float inverse = 1.0 / max(dot(along, along), 1e-6), octaves = clamp(log2(splat.look.z), 0.0, OCTAVES) / OCTAVES;
    ivec2 sides = splat.box.zw - splat.box.xy + 1;
    for (int i = start; i < sides.x * sides.y; i += 32) {
        ivec2 pixel = splat.box.xy + ivec2(i % sides.x, i / sides.x);
        vec2 from = vec2(pixel) + 0.5 - p;
        vec2 off = (from - clamp(dot(from, along) * inverse, 0.0, 1.0) * along) / splat.look.x;
        float inside = 1.0 - dot(off, off);
        if (inside <= 0.0) continue;
        float near = water_nearness(pixel);
        float before = near > 0.0 ? clamp((1.0 / near - splat.look.z) / splat.look.w + 0.5, 0.0, 1.0) : 1.0;
        float depth = splat.look.y * inside * inside * before * UNIT;
        uint added = uint(depth + 0.5);
        if (added == 0u) continue;
        uint at = 3u * uint(pixel.y * picture.x + pixel.x);
        atomicAdd(sums[at], added);
        atomicAdd(sums[at + 1u], uint(depth * lit + 0.5));
        atomicAdd(sums[at + 2u], uint(depth * octaves + 0.5));
    }
}

void main() {
    uint number = gl_WorkGroupID.x + CELLS_IN_ROW * gl_WorkGroupID.y, slot = gl_LocalInvocationID.x;
    if (number >= count) return;
    if (slot == 0u) found = 0u;
    wait_for_group();
    Cell cell = listed[number];
    Splat splat;
    if (set_up(cell, slot, splat)) splats[atomicAdd(found, 1u)] = splat;
    wait_for_group();
    for (uint i = 0u; i < found; ++i) draw(splats[i], cell.state.x, int(slot));
}
