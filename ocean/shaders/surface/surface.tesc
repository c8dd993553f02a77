#version 430
// Tessellation levels from projected edge lengths. An edge's level depends on the edge alone, so neighbours agree and no
// crack can open. Patches outside the view are dropped.
#include "surface/still_water.glsl"

layout(vertices = 4) out;

in vec2 corner[];
out vec2 patch_corner[];

const float TILT = 0.25;  // slope that waves may give to an edge: what lies flat to the eye still needs vertices

float level(vec2 a, vec2 b) {
    vec3 start = still_water(a), end = still_water(b);
    vec3 edge = end - start, to_eye = eye.xyz - 0.5 * (start + end);
    float distance = max(length(to_eye), 1e-3), along = dot(edge, to_eye) / distance;
    float across = sqrt(max(dot(edge, edge) * (1.0 + TILT * TILT) - along * along, 0.0));
    return clamp(eye.w * across / (distance * edge_pixels), 1.0, 64.0);
}

// Whether a sphere around the patch, waves included, lies outside one of the view's side planes.
bool outside() {
    vec2 middle = 0.25 * (corner[0] + corner[1] + corner[2] + corner[3]);
    vec3 centre = still_water(middle);
    float reach = 0.0;
    for (int i = 0; i < 4; ++i) reach = max(reach, distance(centre, still_water(corner[i])));
    reach += 10.0 * height_scale + 1.0;
    mat4 rows = transpose(view_projection);
    for (int axis = 0; axis < 2; ++axis)
        for (float side = -1.0; side <= 1.0; side += 2.0) {
            vec4 plane = rows[3] + side * rows[axis];
            if (dot(plane, vec4(centre, 1.0)) < -reach * length(plane.xyz)) return true;
        }
    return false;
}

void main() {
    patch_corner[gl_InvocationID] = corner[gl_InvocationID];
    if (gl_InvocationID != 0) return;
    if (outside()) {
        gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = 0.0;
        gl_TessLevelInner[0] = gl_TessLevelInner[1] = 0.0;
        return;
    }
    // Corners run 0: (u 0, v 0), 1: (1, 0), 2: (0, 1), 3: (1, 1); outer levels belong to u = 0, v = 0, u = 1, v = 1.
    gl_TessLevelOuter[0] = level(corner[0], corner[2]);
    gl_TessLevelOuter[1] = level(corner[0], corner[1]);
    gl_TessLevelOuter[2] = level(corner[1], corner[3]);
    gl_TessLevelOuter[3] = level(corner[2], corner[3]);
    gl_TessLevelInner[0] = max(gl_TessLevelOuter[1], gl_TessLevelOuter[3]);
    gl_TessLevelInner[1] = max(gl_TessLevelOuter[0], gl_TessLevelOuter[2]);
}
