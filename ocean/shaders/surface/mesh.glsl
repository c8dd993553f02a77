// The mesh of still water: nested lattices fixed in the world, in squares that ocean/render/mesh.py lays out.
#include "common/view.glsl"

struct Level {
    vec2 corner;     // of the level's window, relative to the origin [m]
    float side;      // of a square [m]
    float range;     // distance to which the level is drawn [m]
    float cell;      // m, a power of two
    float log_cell;  // its binary logarithm
    int cells;       // along a side of a square
    int ratio;       // of the next level's cell to this one's
    ivec2 shift;     // where the window's corner lies in the next level's window, in that level's squares
};

layout(std140, binding = BLOCK_MESH) uniform Mesh {
    Level levels[MAX_LEVELS];
    float mesh_altitude;  // of the eye over common crests [m]; waves that lift it do not change the mesh
    int level_count;
    int window;           // squares along a side of each level's window
};

// How far below the origin still water lies at a position [m]: the earth is round.
float fall(vec2 position) {
    return dot(position, position) / (2.0 * EARTH_RADIUS);
}

// Distance [m] from the eye to still water.
float eye_distance(vec2 position) {
    float height = mesh_altitude + fall(position);
    return sqrt(dot(position, position) + height * height);
}
