// A drop of a slot, and its picture. A drop stands for many of nearly equal size that left the crest one after another. Their ages,
// sizes and motion spread them along a line. Sums are integers, so that their order does not matter.
#include "common/view.glsl"
#include "surface/samples.glsl"
#include "spray/spray.glsl"
#if BY_HARDWARE
layout(binding = SAMPLER_VISIBILITY) uniform sampler2D visibility;
#endif

layout(std430, binding = STORAGE_SEEN) readonly buffer Seen { uvec2 seen[]; };  // y is the nearness of the sea, inverted

// Pieces of splats: number of the cell, then of piece and slot. One work group of splat.comp draws each.
layout(std430, binding = STORAGE_SPRAY_PIECES) buffer Pieces { uvec2 pieces[]; };
layout(std430, binding = STORAGE_SPRAY_COUNT) buffer Count { Dispatch cell_dispatch, piece_dispatch; };
const int PIECE = 1024;  // pixels

const float DROPS = 32.0;
const float SHUTTER = 1.0 / 250.0;  // s
const float WIDTH = 0.05, LENGTH = 2.0;  // radius and length of what a slot emits at once, in cells
const float NARROWEST = 0.03;      // m
const float WIDENS = 2.0;          // growth of that radius in a life time
const float LASTS = 0.2;           // largest part of the life for which a slot emits
const float SPREAD = 0.12;         // growth of the radius by turbulence, in friction velocities
const float THROWN = 0.25;         // mean upward velocity by rollers, in speeds of the crest
const vec3 GUSTS = vec3(2.4, 1.25, 1.9);  // deviations of the wind along, up and across, in friction velocities
const float FADES = 0.5;           // fraction of the life after which drops thin out
const float NEAREST_DROP = 1.0;    // m
const float CONTRAST = 0.7;        // of grains that are resolved
const float SHREDS = 0.45;         // contrast of the shreds into which gusts tear a cloud
const vec2 SHRED = vec2(8.0, 1.0); // their shape
const float SHRED_WIDTH = 0.3, FINEST_SHRED = 2.0;  // their width, in radii of the cloud, and at least [pixels]
const float THICK = 0.004, FINEST_GRAIN = 1.5;  // smallest width of the grains of a cloud [m], [pixels]
const float LARGEST = 96.0, LONGEST = 256.0;  // largest half axes [pixels]

struct Splat {
    vec2 middle, along;  // [pixels]; unit vector of the long axis
    vec2 axes;           // half axes [pixels]
    float depth, lit, distance, soft;  // mean optical depth in the middle, sunlight below clouds, distance [m], depth of the cloud [m]
    vec2 grains, shreds; // numbers along its half axes
    float contrast;      // of the grains
    uint seed;           // of its grains
    ivec4 box;           // first row, rows, pixels of a row, all pixels
    float slant;         // shift of the middle of a row from row to row
};

// A sum of three uniform numbers with the mean and the variance of a normal deviate.
float normal_of(vec3 v) { return 2.0 * (v.x + v.y + v.z - 1.5); }

bool set_up(Cell cell, uint slot, out Splat splat) {
    float phase = cycle + (float(slot) + random(uvec4(cell.key.xyz, slot + 1u)).x) / DROPS;
    float turn = floor(phase), age = life * (phase - turn);
    uint born = uint((generation + int(turn)) % generations);
    vec4 a = random(uvec4(cell.key.xy, cell.key.z << 8u | slot, born)), b = random(uvec4(a * 16777216.0));
    vec4 c = random(uvec4(b * 16777216.0)), d = random(uvec4(c * 16777216.0));
    // A slot emits with a probability, and its drops fade as that falls, so that the mean follows the foam.
    float most = cell.state.z, foam = cell.crest.w / most, share = min(foam, 1.0);
    if (a.x >= share) return false;
    share = 2.0 * (1.0 - a.x / share) * max(foam, 1.0) * most;

    float side = cell.state.y, at = a.y * float(SPRAY_BOUNDS - 2), crest_speed = length(crests.xy);
    vec2 across = vec2(-wind.y, wind.x), still_air = air_velocity(max(cell.crest.y, 0.0) + 1.0);
    vec3 gust = wind.z * GUSTS * vec3(normal_of(b.xyz), normal_of(c.xyz), normal_of(d.xyz));
    vec3 air = vec3(still_air.x, gust.y, still_air.y);
    air.xz += gust.x * wind.xy + gust.z * across;
    vec3 start = vec3(crests.x, -log(1.0 - 0.999 * a.z) * THROWN * crest_speed, crests.y);
    float lasts = min(LENGTH * side / max(length(air.xz - crests.xy), 1.0), LASTS * life);
    float younger = max(age - lasts, 0.0), middle_age = 0.5 * (age + younger);
    vec3 old, young, velocity, unused;
    int size = int(at);
    fly(mix(sizes[size].xy, sizes[size + 1].xy, fract(at)), start, air, age, old, velocity);
    fly(mix(sizes[size + 1].xy, sizes[size + 2].xy, fract(at)), start, air, younger, young, unused);
    vec3 from = cell.crest.xyz + vec3(side * (a.w - 0.5), 0.0, side * (b.w - 0.5)), moving = vec3(crests.x, 0.0, crests.y);
    vec4 head = view_projection * vec4(from + old - age * moving + SHUTTER * velocity, 1.0);
    vec4 tail = view_projection * vec4(from + young - younger * moving, 1.0);
    float near = min(head.w, tail.w);
    if (near < NEAREST_DROP) return false;
    float scale = 0.5 * float(picture.y) * length(vec3(view_projection[0].y, view_projection[1].y, view_projection[2].y));
    float radius = NARROWEST + WIDTH * side * (1.0 + WIDENS * middle_age / life) + SPREAD * wind.z * middle_age, distance = 0.5 * (head.w + tail.w);
    vec2 p = (0.5 * head.xy / head.w + 0.5) * vec2(picture), q = (0.5 * tail.xy / tail.w + 0.5) * vec2(picture);
    float r = clamp(radius * scale / distance, 1.0, LARGEST), half_ = 0.5 * length(q - p);
    splat.middle = 0.5 * (p + q);
    splat.along = half_ > 0.01 ? 0.5 * (q - p) / half_ : vec2(1.0, 0.0);
    splat.axes = vec2(min(half_ + r, LONGEST), r);
    float thins = min((1.0 - age / life) / (1.0 - FADES), 1.0) * smoothstep(NEAREST_DROP, 2.0 * NEAREST_DROP, near);
    float extinction = share * emitted * side * side * life / DROPS * thins * scale * scale / (distance * distance);
    splat.depth = extinction * 3.0 / (PI * splat.axes.x * splat.axes.y);  // the profile (1 - x²)² has the mean 1/3
    splat.lit = cell.state.x;
    splat.distance = distance;
    splat.soft = max(radius, 0.1);
    float thick = max(THICK * scale / distance, FINEST_GRAIN);
    splat.grains = splat.axes / vec2(max(length(velocity) * SHUTTER * scale / distance, 3.0 * thick), thick);
    splat.shreds = splat.axes / (SHRED * max(SHRED_WIDTH * r, FINEST_SHRED));
    splat.contrast = CONTRAST * min(THICK * scale / (distance * FINEST_GRAIN), 1.0);
    splat.seed = uint(c.w * 16777216.0);
    // Rows of equal length around the ellipse; they shift from row to row with the middles of its chords.
    vec2 squares = splat.axes * splat.axes, u = splat.along;
    float reach = sqrt(squares.x * u.y * u.y + squares.y * u.x * u.x), chord = splat.axes.x * splat.axes.y / reach;
    splat.slant = u.x * u.y * (squares.x - squares.y) / (reach * reach);
    int low = max(int(floor(splat.middle.y - reach)), 0), high = min(int(ceil(splat.middle.y + reach)), picture.y);
    int row = int(ceil(2.0 * chord)) + 1;
    splat.box = ivec4(low, high - low, row, max(high - low, 0) * row);
    float wide = sqrt(squares.x * u.x * u.x + squares.y * u.y * u.y);
    bool shows = splat.middle.x + wide > 0.0 && splat.middle.x - wide < float(picture.x);
    return shows && splat.box.w > 0 && splat.depth * UNIT > 0.5;
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

uint scrambled(uint v) {
    v = (v ^ v >> 16u) * 0x7feb352du;
    v = (v ^ v >> 15u) * 0x846ca68bu;
    return v ^ v >> 16u;
}

// Density at a place [grains] in a cloud of grains; its mean is 1. Grains are ellipses at random places along rows.
float grain(vec2 place, uint seed) {
    float row = floor(place.y);
    uint of_row = scrambled(uint(int(row)) + seed);
    place.x += float(of_row >> 8u) / 65536.0;
    float column = floor(place.x);
    uint v = scrambled(of_row + uint(int(column)));
    vec2 off = (vec2(place.x - column, place.y - row) - vec2(0.5, 0.3 + 0.4 * float(v & 255u) / 255.0)) / vec2(0.5, 0.3);
    float inside = max(1.0 - dot(off, off), 0.0);
    return -log((float(v >> 8u) + 0.5) / 16777216.0) * (20.0 / PI) * inside * inside;
}

// Draws the pixels start, start + stride, ... of a splat, before the end.
void draw(Splat splat, int start, int end, int stride) {
    float grained = splat.contrast * clamp((splat.grains.y - 1.0) / 2.0, 0.0, 1.0);
    float shredded = SHREDS * clamp((splat.shreds.y - 1.0) / 2.0, 0.0, 1.0);
    float octaves = clamp(log2(splat.distance), 0.0, OCTAVES) / OCTAVES;
    for (int i = start; i < min(end, splat.box.w); i += stride) {
        int row = int((float(i) + 0.5) / float(splat.box.z)), y = splat.box.x + row;
        float first = splat.middle.x + splat.slant * (float(y) + 0.5 - splat.middle.y) - 0.5 * float(splat.box.z);
        ivec2 pixel = ivec2(int(ceil(first)) + i - row * splat.box.z, y);
        vec2 from = vec2(pixel) + 0.5 - splat.middle;
        vec2 off = vec2(dot(from, splat.along), from.x * splat.along.y - from.y * splat.along.x) / splat.axes;
        float inside = 1.0 - dot(off, off);
        if (inside <= 0.0 || pixel.x < 0 || pixel.x >= picture.x) continue;
        float near = water_nearness(pixel);
        float share = near > 0.0 ? clamp((1.0 / near - splat.distance) / splat.soft + 0.5, 0.0, 1.0) : 1.0;
        if (shredded > 0.0) share *= mix(1.0, grain(off * splat.shreds, ~splat.seed), shredded);
        if (grained > 0.0) share *= mix(1.0, grain(off * splat.grains, splat.seed), grained);
        float depth = splat.depth * inside * inside * share * UNIT;
        uint added = uint(depth + 0.5);
        if (added == 0u) continue;
        uint at = uint(pixel.y * picture.x + pixel.x), all_ = uint(picture.x * picture.y);
        atomicAdd(sums[at], added);
        atomicAdd(sums[at + all_], uint(depth * splat.lit + 0.5));
        atomicAdd(sums[at + 2u * all_], uint(depth * octaves + 0.5));
    }
}
