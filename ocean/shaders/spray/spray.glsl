// Drops of spray. Each cell of a lattice that runs with the breaking crests has DROPS slots, and each slot emits one drop in
// each life time. A drop's state follows from its cell, its slot and the time alone. ocean/render/spray.py has the levels.
#include "common/bindings.glsl"

layout(std140, binding = BLOCK_SPRAY) uniform Spray {
    ivec4 first_cells[SPRAY_LEVELS];  // xy: number of the first cell of each level's window
    vec4 lattices[SPRAY_LEVELS];     // xy: corner of that cell relative to the origin [m]; z: side of a cell; w: half the window's
    vec4 sizes[SPRAY_BOUNDS];     // bounds of classes with equal cross-sections: x terminal speed [m/s], y relaxation time [s]
    vec4 wind;                    // xy: unit vector; z: friction velocity [m/s]; w: roughness length [m]
    vec4 crests;                  // xy: velocity of breaking crests [m/s]
    float emitted;                // extinction [m²] by the drops that a square metre of active foam emits in a second
    float life;                   // s
    float cycle;                  // time in life times, less `generation`
    int generation;
    int generations;              // in a loop period
    int first_level;
};

// Sums over all drops, of all pixels one after another: of the optical depth, then of the depth times the light, then of the
// depth times the logarithm of the distance.
layout(std430, binding = STORAGE_SPRAY_SUMS) coherent buffer Sums { uint sums[]; };
const float UNIT = 1048576.0;     // of the sums: 2^20, so that they overflow beyond an optical depth of 4000
const float OCTAVES = 16.0;       // distances from 1 m on

// Four random numbers in [0, 1) for a cell, a slot and a generation (PCG4D, Jarzynski and Olano 2020).
vec4 random(uvec4 v) {
    v = v * 1664525u + 1013904223u;
    for (int i = 0; i < 2; ++i) {
        v.x += v.y * v.w;
        v.y += v.z * v.x;
        v.z += v.x * v.y;
        v.w += v.y * v.z;
        v ^= v >> 16u;
    }
    return vec4(v >> 8u) / 16777216.0;
}

// A cell that emits, of cull.comp.
struct Cell {
    vec4 crest;  // xyz: displaced position of its crest [m]; w: active foam times the level's weight
    vec4 state;  // x: sunlight after clouds; y: side [m]; z: active foam at which all slots emit
    uvec4 key;   // number of the cell, and level
};

layout(std430, binding = STORAGE_SPRAY_CELLS) buffer Cells { Cell listed[]; };
const uint IN_ROW = 1024u;  // work groups in a row of a dispatch
struct Dispatch { uint groups[3]; uint count; };

// Velocity of the air at a height over the mean water level [m/s].
vec2 air_velocity(float height) { return wind.xy * (wind.z / 0.4 * log(max(height / wind.w, 1.0))); }

// A drop after `age` seconds: its displacement since it left the crest [m], and its velocity [m/s]. `size` is one of `sizes`.
// ocean/waves/spray.py has the same function.
void fly(vec2 size, vec3 start, vec3 air, float age, out vec3 way, out vec3 velocity) {
    vec3 final = air - vec3(0.0, size.x, 0.0), slip = start - final;
    float left = exp(-age / size.y);
    way = final * age + size.y * (1.0 - left) * slip;
    velocity = final + left * slip;
}
