#version 430
// A corner of the buoy's triangles for the hardware's raster.
#include "buoy/mesh.glsl"

out vec3 relative;
out vec3 normal;
out vec3 albedo;

void main() {
    uint vertex = buoy_corner(uint(gl_VertexID) / 3u, gl_VertexID % 3);
    relative = buoy_position(vertex);
    normal = buoy_normal(vertex);
    albedo = buoy_colour(vertex);
    gl_Position = view_projection * vec4(relative, 1.0);
}
