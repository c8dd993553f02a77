#version 430
// Finds the visibility sample of each sample. A work group takes a quarter of a tile, an invocation one sample.
// Samples of a unit, up to 2 x 2 or 4 x 1 of a cell, share a shading if they show the same water: one packed sample has
// the mean of their positions and footprints, and the mean and covariance of their triangles' slopes.
#include "common/group.glsl"
shared uint first_blocks[MAX_LEVELS + 1];  // first_block of the buffer, in fast memory
#define FIRST_BLOCK first_blocks
#include "surface/seen.glsl"
#include "surface/packed_sample.glsl"
#if HIDES
#include "surface/roughness.glsl"
#include "surface/reflection.glsl"
#endif

layout(local_size_x = 64) in;
#if DIRECT
layout(FORMAT, binding = IMAGE_HDR) writeonly uniform image2D image;
#endif

uniform int chunk;
uniform int first_tile;  // first tile of this chunk

const int QUARTERS = 4;
const float TOGETHER = 1.5;  // steps between cells: largest distance of points on the same water
// Largest squared difference of slopes that share a shading, divided by the variance of their facets: where facets
// reflect only the sky, and in the sun's glitter. Glitter changes faster with slope the more standard deviations lie
// between the slope and the slope that mirrors the sun; beyond SUN_REACHES (squared deviations) it is too weak.
const float ALIKE = 2.0, ALIKE_IN_SUN = 0.1, SUN_REACHES = 20.0;

// Distance on still water between two rows of cells, for a level sea [m].
float level_step(VisibilitySample visible, float rows) {
    float far = distance(visible.relative, eye.xyz), up = max(abs(eye.y) - fall(visible.still), 1e-3 * far);
    float unit = 0.5 * float(picture.y) * length(vec3(view_projection[0].y, view_projection[1].y, view_projection[2].y));
    return far * far / (up * unit * rows);
}

shared vec2 stills[64];
shared float reaches[64];
shared uint numbers[64];
shared uint packed_count, first_packed;
#if UNIT > 1
shared vec3 relatives[64];
shared vec3 slopes_of[64];    // slope and strain of the triangle
shared vec4 footprints[64];   // sides dx and dy
shared float tolerances[64];  // `slope_tolerance` of the triangle
shared float shown_of[64];    // `shown_area` of the triangle, or 1 where the sun's glitter can't show

#if HIDES
// Squared deviations of a triangle's slope from the slope that mirrors the sun, for facets with this slope variance.
float sun_deviations(VisibilitySample visible, float variance) {
    vec3 H = normalize(normalize(eye.xyz - visible.relative) + sun.xyz);
    vec2 off = -H.xz / max(H.y, 1e-3) - visible.face;
    return sun.y > -0.02 ? 2.0 * dot(off, off) / (variance + 2.0 * SUN_SLOPES) : SUN_REACHES;
}

// Largest squared difference from a triangle's slope at which the light is nearly the same, for facets of this
// variance.
float slope_tolerance(float from_sun, float variance) {
    return variance * (from_sun < SUN_REACHES ? ALIKE_IN_SUN / (1.0 + from_sun) : ALIKE);
}

// Visible area of the facets on a triangle, per unit area of sea; `coarse` is the covariance of their slopes.
float shown_area(VisibilitySample visible, vec3 coarse) {
    vec3 V = normalize(eye.xyz - visible.relative);
    return max(visible_area(max(facing(V, visible.face), 0.0), facing_deviation(V, leaning(V, coarse))), 1e-6);
}
#endif

// Whether two samples may share a shading: they are near each other and their slopes similar.
bool may_share(int one, int other) {
    vec2 apart = slopes_of[one].xy - slopes_of[other].xy;
    return distance(stills[one], stills[other]) <= max(reaches[one], reaches[other])
        && dot(apart, apart) <= min(tolerances[one], tolerances[other]);
}
#endif

void main() {
    int tile = first_tile + int(gl_WorkGroupID.x) / QUARTERS, t = int(gl_LocalInvocationIndex);
    Strip strip = strips[strip_of_tile(tile)];
    ivec2 corner = tile_corner(strip, tile);
    if (t <= level_count) first_blocks[t] = first_block[t];
    wait_for_group();
    // Consecutive invocations take the samples of a unit.
    int unit = t / UNIT, part = t % UNIT, of_tile = int(gl_WorkGroupID.x) % QUARTERS * (64 / UNIT) + unit;
    int rows = min(strip.rows / strip.parts.y, 2), columns = UNIT / rows, across = TILE / columns;  // of a unit
    ivec2 within = ivec2(columns * (of_tile % across) + part % columns, rows * (of_tile / across) + part / columns);
    uint slot = sample_at(strip, corner + within), number = seen[slot].x;
    bool is_sea = number < BUOY_TRIANGLES;
    vec2 point = sample_point(strip, corner + within);
    VisibilitySample own = flat_sample(vec2(0.0), vec3(0.0), vec2(0.0), vec2(0.0), 1.0, point);
    if (is_sea) own = visibility_sample(find_triangle(number), point, 1.0 / vec2(strip.parts));
    numbers[t] = number;
    stills[t] = own.still;
    reaches[t] = is_sea ? TOGETHER * max(length(own.dx) + length(own.dy), level_step(own, float(strip.parts.y))) : 0.0;
#if UNIT > 1
    relatives[t] = own.relative;
    footprints[t] = vec4(own.dx, own.dy);
    slopes_of[t] = vec3(own.face, own.strain);
#if HIDES
    vec3 coarse = slopes_beyond(MESH_BLUR / own.spacing).rgb;
    float from_sun = sun_deviations(own, coarse.x + coarse.y);
    tolerances[t] = is_sea ? slope_tolerance(from_sun, coarse.x + coarse.y) : 0.0;
    shown_of[t] = from_sun < SUN_REACHES ? shown_area(own, coarse) : 1.0;
#else
    tolerances[t] = shown_of[t] = 1.0;
#endif
#endif
    if (t == 0) packed_count = 0u;
    wait_for_group();

    // The first sample of a unit that shows water leads those that may share its shading; the others lead themselves.
    int first = UNIT * unit;
    while (first < t && numbers[first] >= BUOY_TRIANGLES) ++first;
    bool leads = number != NOTHING;
#if UNIT > 1
    if (is_sea && first < t) leads = !may_share(first, t);
#endif
    uint index = leads ? atomicAdd(packed_count, 1u) : 0u;
    wait_for_group();
    if (t == 0) {
        first_packed = atomicAdd(shadings[chunk].count, packed_count);
        atomicMax(shadings[chunk].groups[1], (first_packed + packed_count + PACKED_IN_ROW - 1u) / PACKED_IN_ROW);
    }
    wait_for_group();
#if DIRECT
    if (number == NOTHING) imageStore(image, corner + within, vec4(0.0));
#endif
    if (!leads) {
        if (number != NOTHING) seen[slot] = uvec2(0u);  // no light; shade.comp writes the light of samples that lead
        return;
    }

    float count = 1.0;
#if UNIT > 1
    if (is_sea && first == t) {
        float inverse = 1.0 / shown_of[t];
        vec3 slopes_ = vec3(own.face, own.strain), squares = vec3(own.face * own.face, own.face.x * own.face.y);
        for (int k = t + 1; k < UNIT * (unit + 1); ++k) {
            if (numbers[k] >= BUOY_TRIANGLES || !may_share(t, k)) continue;
            count += 1.0;
            own.still += stills[k];
            own.relative += relatives[k];
            slopes_ += slopes_of[k];
            inverse += 1.0 / shown_of[k];
            own.dx += footprints[k].xy;
            own.dy += footprints[k].zw;
            squares += vec3(slopes_of[k].xy * slopes_of[k].xy, slopes_of[k].x * slopes_of[k].y);
        }
        float share = 1.0 / count;
        own.still *= share;
        own.relative *= share;
        own.dx *= share;
        own.dy *= share;
        own.face = share * slopes_.xy;
        own.strain = share * slopes_.z;
        vec3 square = vec3(own.face * own.face, own.face.x * own.face.y);
#if HIDES
        if (from_sun < SUN_REACHES) own.grazing = share * inverse * shown_area(own, coarse);
        else if (strip.parts.y > 2)  // samples side by side cover more than a footprint (docs/theory/samples.md)
            own.dx *= sqrt(1.0 + (count * count - 1.0) / float(UNIT * UNIT));
#endif
        own.scatter = vec3(max(share * squares.xy - square.xy, 0.0), share * squares.z - square.z);
    }
#endif
    packed_samples[first_packed + index] = pack(own, slot, uint(count));
}
