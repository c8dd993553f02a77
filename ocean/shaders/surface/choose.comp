#version 430
// Which squares of each level are drawn, a work group a level. They are listed in the order of the window, so that equal
// frames draw in equal order.
#include "surface/mesh.glsl"

layout(local_size_x = GROUP) in;

struct Draw { uint count, instances, first, base_vertex, base_instance; };  // as glMultiDrawElementsIndirect has it

layout(std430, binding = STORAGE_SQUARES) writeonly buffer Squares { ivec4 squares[]; };
layout(std430, binding = STORAGE_DRAWS) buffer Draws { Draw draws[]; };

uniform int capacity;  // squares that there is room for in a level

shared uint chosen[GROUP / 32];  // a bit an invocation

vec2 corner_of(int level, ivec2 square) {
    precise vec2 corner = levels[level].corner + vec2(square) * levels[level].side;
    return corner;
}

// Distance [m] from the eye to the nearest still water of a square.
float nearest(int level, ivec2 square) {
    vec2 low = corner_of(level, square);
    return eye_distance(clamp(vec2(0.0), low, low + levels[level].side));
}

// Whether a square is drawn by the next finer level. The square itself and its parts ask alike, so just one is drawn.
bool is_split(int level, ivec2 square) {
    return level > 0 && nearest(level, square) < levels[level - 1].range;
}

// Whether a sphere around the square, waves included, lies outside one of the view's side planes. Vertices that move onto
// the next level's lattice take the square along by as much as a cell of that.
bool is_outside(int level, ivec2 square) {
    float most = levels[level + 1].cell;
    vec2 middle = corner_of(level, square) + 0.5 * (levels[level].side - most);
    vec3 centre = vec3(middle.x, -fall(middle), middle.y);
    float reach = 0.7072 * (levels[level].side + most);
    reach += reach * (2.0 * length(middle) + reach) / (2.0 * EARTH_RADIUS) + 10.0 * height_scale + 1.0;
    vec4 clip = view_projection * vec4(centre, 1.0);  // planes are w + x, w - x, w + y, w - y
    mat3 rows = transpose(mat3(view_projection));
    vec3 w = vec3(view_projection[0].w, view_projection[1].w, view_projection[2].w);
    vec4 lengths = vec4(length(w + rows[0]), length(w - rows[0]), length(w + rows[1]), length(w - rows[1]));
    return any(lessThan(clip.wwww + vec4(clip.x, -clip.x, clip.y, -clip.y), -reach * lengths));
}

bool is_drawn(int level, ivec2 square) {
    bool wanted = level + 1 < level_count ? is_split(level + 1, (square >> 1) + levels[level].shift)
                                          : nearest(level, square) < horizon + mesh_altitude;
    return wanted && !is_split(level, square) && !is_outside(level, square);
}

void main() {
    int level = int(gl_WorkGroupID.x), i = int(gl_LocalInvocationIndex), listed = 0;
    for (int base = 0; base < window * window; base += GROUP) {
        ivec2 square = ivec2((base + i) % window, (base + i) / window);
        bool drawn = square.y < window && is_drawn(level, square);
        if (i < GROUP / 32) chosen[i] = 0u;
        memoryBarrierShared();
        barrier();
        if (drawn) atomicOr(chosen[i / 32], 1u << (i % 32));
        memoryBarrierShared();
        barrier();
        int before = bitCount(chosen[i / 32] & ((1u << (i % 32)) - 1u)), all = 0;
        for (int word = 0; word < GROUP / 32; ++word) {
            int count = bitCount(chosen[word]);
            before += word < i / 32 ? count : 0;
            all += count;
        }
        if (drawn) squares[capacity * level + listed + before] = ivec4(square, level, 0);
        listed += all;
        barrier();
    }
    if (i == 0) draws[level].instances = uint(listed);
}
