// Records of what is shaded: a place of the sea or of the buoy, for all samples that share it. gather.comp writes the
// records, shade.comp reads them.
#include "surface/place.glsl"

struct Record {
    vec2 still, dx, dy, face;  // members of Place
    vec3 relative;
    uint slot;                 // index of the sample that gets the light
    vec3 scatter;
    uint strain_and_spacing;   // two half floats: Place.strain and the binary logarithm of Place.spacing
    uint number;               // of the triangle that the sample at `slot` shows
    uint count_and_grazing;    // two half floats: the number of samples that share the light, and Place.grazing
    vec2 pixel;
};

#if !PLACES
layout(std430, binding = STORAGE_RECORDS) buffer Records { Record records[]; };
#endif

struct Shading { uint groups[3]; uint count; };  // indirect dispatch that shades a chunk of tiles; number of records

layout(std430, binding = STORAGE_SHADING) buffer Shadings { Shading shadings[]; };

const uint RECORDS_IN_ROW = uint(GROUPS_IN_ROW * SHADED_AT_ONCE);  // records in a row of the dispatch's work groups
