// The levels of the mesh, of ocean/render/mesh.py: nested lattices, fixed in the world, of squares of still water.
#include "common/view.glsl"

struct Level {
    vec2 corner;     // corner of the level's window, relative to the origin [m]
    float side;      // side of a square [m]
    float range;     // distance to which the level is drawn [m]
    float cell;      // m, a power of two
    float log_cell;  // binary logarithm of cell
    int cells;       // cells along a side of a square
    int ratio;       // the next level's cell divided by this one's
    ivec2 shift;     // position of the window's corner in the next level's window, in that level's squares
};

layout(std140, binding = BLOCK_MESH) uniform Mesh {
    Level levels[MAX_LEVELS];
    float mesh_altitude;  // eye over common crests [m], without the lift by waves
    int level_count;
    int window;           // squares along a side of each level's window
};

// Depth of still water at a position below the plane through the origin, by the earth's curvature [m].
float fall(vec2 position) { return dot(position, position) / (2.0 * EARTH_RADIUS); }

// Distance [m] from the eye to still water.
float eye_distance(vec2 position) {
    float height = mesh_altitude + fall(position);
    return sqrt(dot(position, position) + height * height);
}

// A sphere around a square of still water.
struct Sphere { vec3 centre; float radius; };

// Returns the sphere around a square. Vertices that move onto the next level's lattice leave the square by at most one
// cell of that level, `most` [m].
Sphere sphere_around(vec2 corner, float side, float most) {
    vec2 middle = corner + 0.5 * (side - most);
    float radius = 0.7072 * (side + most);
    radius += radius * (2.0 * length(middle) + radius) / (2.0 * EARTH_RADIUS);
    return Sphere(vec3(middle.x, -fall(middle), middle.y), radius);
}

// Longest way by which the waves move a vertex [m].
float wave_reach() { return 10.0 * height_scale + 1.0; }

// Whether a sphere, and all within `reach` [m] of it, lies outside one of the view frustum's side planes.
bool is_outside(Sphere sphere, float reach) {
    vec4 clip = view_projection * vec4(sphere.centre, 1.0);  // the planes are w + x, w - x, w + y and w - y
    mat3 rows = transpose(mat3(view_projection));
    vec3 w = vec3(view_projection[0].w, view_projection[1].w, view_projection[2].w);
    vec4 lengths = vec4(length(w + rows[0]), length(w - rows[0]), length(w + rows[1]), length(w - rows[1]));
    return any(lessThan(clip.wwww + vec4(clip.x, -clip.x, clip.y, -clip.y), -(sphere.radius + reach) * lengths));
}
