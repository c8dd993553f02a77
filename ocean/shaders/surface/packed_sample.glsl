// Visibility samples for shading, packed by gather.comp: each stands for all samples of sea or buoy that share its
// light.
#include "surface/visibility_sample.glsl"
#include "surface/samples.glsl"

struct PackedSample {
    vec2 still;                  // members of VisibilitySample
    uint dx, dy;                 // from here on pairs of half floats
    vec3 relative;
    uint count_and_slot;         // samples that share the light, less one (2 bits), and the index of its sample
    uint face, scatter;
    uint covariance_and_strain;  // scatter.z and strain
    uint spacing_and_grazing;    // binary logarithm of spacing, and grazing
};

const float LARGEST = 65504.0;  // half float

uint halves(vec2 v) { return packHalf2x16(clamp(v, -LARGEST, LARGEST)); }

// Packs a visibility sample whose light `count` samples share, the one at `slot` and its neighbours.
PackedSample pack(VisibilitySample visible, uint slot, uint count) {
    return PackedSample(visible.still, halves(visible.dx), halves(visible.dy), visible.relative, slot | (count - 1u) << 30u,
                  halves(visible.face), halves(visible.scatter.xy), halves(vec2(visible.scatter.z, visible.strain)),
                  halves(vec2(log2(max(visible.spacing, 1e-4)), visible.grazing)));
}

uint slot_of(PackedSample stored) { return stored.count_and_slot & 0x3fffffffu; }

uint count_of(PackedSample stored) { return (stored.count_and_slot >> 30u) + 1u; }

VisibilitySample unpack(PackedSample stored) {
    vec2 more = unpackHalf2x16(stored.covariance_and_strain), rest = unpackHalf2x16(stored.spacing_and_grazing);
    return VisibilitySample(stored.still, stored.relative, unpackHalf2x16(stored.dx), unpackHalf2x16(stored.dy), exp2(rest.x),
                 unpackHalf2x16(stored.face), vec3(unpackHalf2x16(stored.scatter), more.x), rest.y, more.y,
                 point_of(slot_of(stored)));
}

layout(std430, binding = STORAGE_PACKED_SAMPLES) buffer PackedSamples { PackedSample packed_samples[]; };

struct Shading { uint groups[3]; uint count; };  // indirect dispatch that shades a chunk of tiles; number of its packed samples

layout(std430, binding = STORAGE_SHADING) buffer Shadings { Shading shadings[]; };

const uint PACKED_IN_ROW = uint(GROUPS_IN_ROW * SHADED_AT_ONCE);  // samples in a row of the dispatch's work groups
