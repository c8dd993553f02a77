#version 430
// Lists the cells whose crests break and whose drops may show in the view.
#include "surface/mesh.glsl"
#include "surface/displacement.glsl"
#include "foam/roller.glsl"
#include "sky/radiance.glsl"
#include "spray/spray.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = STORAGE_SPRAY_COUNT) buffer Count { Dispatch cell_dispatch; };

const float LEAST = 0.0078125;  // active foam at or below which the map may depend on earlier frames
const float SLOTS_FULL = 0.25, MEAN_FULL = 0.06;  // active foam at which all slots emit: where the map resolves it, and elsewhere
const float FINER = 0.25;       // spacing of the waves that move a cell's crest, in cells

// Weight of a level and all finer ones at a position; the difference between two levels is the weight of the coarser.
float reach(int level, vec2 position) {
    if (level < first_level) return 0.0;
    return 1.0 - smoothstep(0.7, 1.0, max(abs(position.x), abs(position.y)) / lattices[level].w);
}

void main() {
    int level = first_level + int(gl_GlobalInvocationID.y), number = int(gl_GlobalInvocationID.x);
    ivec2 cell = ivec2(number % SPRAY_CELLS, number / SPRAY_CELLS);
    float side = lattices[level].z;
    uvec4 key = uvec4(first_cells[level].xy + cell, level, 0u);
    vec2 place = lattices[level].xy + side * (vec2(cell) + random(key).xy);
    float weight = reach(level, place) - reach(level - 1, place);
    if (weight <= 0.0 || eye.w > 0.0) return;
    float way = 0.5 * life * length(air_velocity(10.0));  // half of the farthest drop's
    vec2 middle = place + way * wind.xy;
    if (is_outside(Sphere(vec3(middle.x, -fall(middle), middle.y), way + side), wave_reach())) return;

    // Active foam from the finest level of the map that reaches here and is as coarse as the cell, or resolves breaking.
    int from = max(int(ceil(serving_level(place, 0.0))), min(level + 1, int(foam_judged)));
    if (from >= FOAM_LEVELS) return;
    float active_foam = foam_texel(place, from).g;
    bool resolved = births[from].y == 0.0;
    if (active_foam <= (resolved ? LEAST : 0.0)) return;

    vec2 still = resolved ? place - foam_spilled : place;
    vec3 crest = vec3(still.x, -fall(still), still.y) + displacement(still, log2(FINER * side));
    uint at = atomicAdd(cell_dispatch.count, 1u);
    atomicMax(cell_dispatch.groups[1], at / IN_ROW + 1u);
    listed[at] = Cell(vec4(crest, weight * active_foam), vec4(sun_visibility(still), side, resolved ? SLOTS_FULL : MEAN_FULL, 0.0), key);
}
