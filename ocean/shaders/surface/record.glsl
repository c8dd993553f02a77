// Records for shading, written by gather.comp: a place of sea or buoy, for all samples that share its light.
#include "surface/place.glsl"
#include "surface/samples.glsl"

struct Record {
    vec2 still;                  // members of Place
    uint dx, dy;                 // from here on pairs of half floats
    vec3 relative;
    uint count_and_slot;         // samples that share the light, less one (2 bits), and the index of its sample
    uint face, scatter;
    uint covariance_and_strain;  // Place.scatter.z and Place.strain
    uint spacing_and_grazing;    // binary logarithm of Place.spacing, and Place.grazing
};

const float LARGEST = 65504.0;  // half float

uint halves(vec2 v) { return packHalf2x16(clamp(v, -LARGEST, LARGEST)); }

// Returns the record of a place whose light `count` samples share, the one at `slot` and its neighbours.
Record record_of(Place place, uint slot, uint count) {
    return Record(place.still, halves(place.dx), halves(place.dy), place.relative, slot | (count - 1u) << 30u,
                  halves(place.face), halves(place.scatter.xy), halves(vec2(place.scatter.z, place.strain)),
                  halves(vec2(log2(max(place.spacing, 1e-4)), place.grazing)));
}

uint slot_of(Record record) { return record.count_and_slot & 0x3fffffffu; }

uint count_of(Record record) { return (record.count_and_slot >> 30u) + 1u; }

Place place_of(Record record) {
    vec2 more = unpackHalf2x16(record.covariance_and_strain), rest = unpackHalf2x16(record.spacing_and_grazing);
    return Place(record.still, record.relative, unpackHalf2x16(record.dx), unpackHalf2x16(record.dy), exp2(rest.x),
                 unpackHalf2x16(record.face), vec3(unpackHalf2x16(record.scatter), more.x), rest.y, more.y,
                 point_of(slot_of(record)));
}

layout(std430, binding = STORAGE_RECORDS) buffer Records { Record records[]; };

struct Shading { uint groups[3]; uint count; };  // indirect dispatch that shades a chunk of tiles; number of records

layout(std430, binding = STORAGE_SHADING) buffer Shadings { Shading shadings[]; };

const uint RECORDS_IN_ROW = uint(GROUPS_IN_ROW * SHADED_AT_ONCE);  // records in a row of the dispatch's work groups
