#version 430
// A triangle around the sun's disc, as far away as the sky: nothing else of it is drawn as the disc is.
#include "common/view.glsl"

const float REACH = 0.05;  // rad; half a pixel beyond the disc, of pictures from 16 pixels across

out vec3 ray;

void main() {
    vec3 aside = normalize(abs(sun.y) < 0.9 ? vec3(sun.z, 0.0, -sun.x) : vec3(0.0, sun.z, -sun.y));
    vec2 corner = vec2(4 * (gl_VertexID & 1) - 1, 2 * (gl_VertexID & 2) - 1);  // a circle of radius 1 lies within
    ray = sun.xyz + REACH * (corner.x * aside + corner.y * cross(sun.xyz, aside));
    gl_Position = (view_projection * vec4(ray, 0.0)).xyww;
}
