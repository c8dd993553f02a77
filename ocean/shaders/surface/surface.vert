#version 430
// A vertex of the mesh for the hardware's raster; visibility.frag follows.
#include "surface/vertex.glsl"

in ivec4 square;  // position in the level's window (xy), and the level (z)

out vec2 still;
out vec3 relative;
precise gl_Position;

void main() {
    int row = levels[square.z].cells + 1;
    Vertex vertex = mesh_vertex(square.z, square.xy, ivec2(gl_VertexID % row, gl_VertexID / row));
    still = vertex.still;
    relative = vertex.relative;
    gl_Position = view_projection * vec4(relative, 1.0);
}
