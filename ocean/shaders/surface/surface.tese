#version 430
// Vertices of the surface: a point of still water on the round earth, moved by the waves.
#include "surface/still_water.glsl"
#include "surface/displacement.glsl"

layout(quads, fractional_odd_spacing, ccw) in;

in vec2 patch_corner[];

out vec2 still;         // relative position on still water: the point that the maps are read at
out vec3 relative;      // relative position of the vertex
precise gl_Position;

void main() {
    vec2 t = gl_TessCoord.xy;
    // Written so that a patch's edge gives the same bits as its neighbour's: at t = 0 or 1 one product is exactly 0.
    precise vec2 lower = (1.0 - t.x) * patch_corner[0] + t.x * patch_corner[1];
    precise vec2 upper = (1.0 - t.x) * patch_corner[2] + t.x * patch_corner[3];
    precise vec2 polar = (1.0 - t.y) * lower + t.y * upper;

    vec3 rest = still_water(polar);
    float spacing = edge_pixels * distance(eye.xyz, rest) / eye.w;
    still = rest.xz;
    relative = rest + displacement(still, spacing);
    gl_Position = view_projection * vec4(relative, 1.0);
}
