// Visibility samples for shading, packed by gather.comp: each stands for all samples of sea or buoy that share its
// light.
#include "surface/visibility_sample.glsl"
#include "surface/samples.glsl"

struct PackedSample {  // of 16 bytes each, which GPUs fetch at once; `halves` packs two numbers
    vec4 place;    // still and relative.xz of a VisibilitySample
    uvec4 sides;   // relative.y, dx, dy; samples that share the light, less one (3 bits), and the index of its sample
    uvec4 slopes;  // face; scatter.xy; scatter.z and strain; binary logarithm of spacing, and grazing
};

const float LARGEST = 65504.0;  // half float

uint halves(vec2 v) { return packHalf2x16(clamp(v, -LARGEST, LARGEST)); }

// Packs a visibility sample whose light `count` samples share, the one at `slot` and its neighbours.
PackedSample pack(VisibilitySample visible, uint slot, uint count) {
    uint share = slot | (count - 1u) << 29u;
    return PackedSample(
        vec4(visible.still, visible.relative.xz),
        uvec4(floatBitsToUint(visible.relative.y), halves(visible.dx), halves(visible.dy), share),
        uvec4(halves(visible.face), halves(visible.scatter.xy), halves(vec2(visible.scatter.z, visible.strain)),
              halves(vec2(log2(max(visible.spacing, 1e-4)), visible.grazing))));
}

uint slot_of(PackedSample stored) { return stored.sides.w & 0x1fffffffu; }

uint count_of(PackedSample stored) { return (stored.sides.w >> 29u) + 1u; }

VisibilitySample unpack(PackedSample stored) {
    vec2 more = unpackHalf2x16(stored.slopes.z), rest = unpackHalf2x16(stored.slopes.w);
    vec3 relative = vec3(stored.place.z, uintBitsToFloat(stored.sides.x), stored.place.w);
    return VisibilitySample(stored.place.xy, relative, unpackHalf2x16(stored.sides.y), unpackHalf2x16(stored.sides.z),
                            exp2(rest.x), unpackHalf2x16(stored.slopes.x),
                            vec3(unpackHalf2x16(stored.slopes.y), more.x), rest.y, more.y, point_of(slot_of(stored)));
}

layout(std430, binding = STORAGE_PACKED_SAMPLES) buffer PackedSamples { PackedSample packed_samples[]; };

// Indirect dispatch that shades the samples of a list, and their number. A chunk of tiles has two lists: FAR_FOAM takes
// samples of sea whose breaking the foam map does not resolve, from the end of the buffer.
struct Shading { uint groups[3]; uint count; };

layout(std430, binding = STORAGE_SHADING) buffer Shadings { Shading shadings[]; };

uint packed_at(uint list, uint index) { return list == 0u ? index : uint(last_packed) - index; }

const uint PACKED_IN_ROW = uint(GROUPS_IN_ROW * SHADED_AT_ONCE);  // samples in a row of the dispatch's work groups
