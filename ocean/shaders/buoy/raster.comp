#version 430
// Rasterises the buoy's triangles onto the samples. A work group draws one triangle, which may fill the picture.
#include "surface/cover.glsl"
#include "buoy/mesh.glsl"

layout(local_size_x = 64) in;

void main() {
    vec3 corners[3];
    for (int i = 0; i < 3; ++i) {
        vec4 clip = view_projection * vec4(buoy_position(buoy_corner(gl_WorkGroupID.x, i)), 1.0);
        if (clip.w < NEAREST) return;
        corners[i] = projected(clip);
    }
    Corners t = Corners(corners[0], corners[1], corners[2]);
    if (orient(t, false)) draw_share(t, BUOY_TRIANGLES + gl_WorkGroupID.x, int(gl_LocalInvocationIndex), 64);
}
