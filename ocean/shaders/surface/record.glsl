// What is shaded: a place of the sea, or of the buoy, for the samples of a cell that show it together. Written by gather.comp, read
// by shade.comp.
#include "surface/place.glsl"

struct Record {
    vec2 still, dx, dy, face;  // as in Place
    vec3 relative;
    uint slot;                 // the sample that keeps the light
    vec3 scatter;
    uint strain_and_spacing;                 // of the sea: halves of strain and binary logarithm of spacing
    uint number;               // of the triangle that the first sample shows
    uint count_and_grazing;              // halves of how many samples show this, and of Place's grazing
    vec2 pixel;
};

layout(std430, binding = STORAGE_RECORDS) buffer Records { Record records[]; };

struct Shading { uint groups[3]; uint count; };  // what to dispatch for a chunk of tiles

layout(std430, binding = STORAGE_SHADING) buffer Shadings { Shading shadings[]; };

const uint SHADED_AT_ONCE = 64u;  // records of two work groups, which lie side by side in a dispatch: it may have 65535 such rows
