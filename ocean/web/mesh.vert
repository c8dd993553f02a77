// The surface as a fan around the point below the eye, out to the horizon, without a vertex buffer: instance i is the
// strip between columns i and i + 1. Distances grow by a constant factor, so cells keep their shape on the screen.
#include "common/view.glsl"
#define IS_HIDDEN(c) false  // SwiftShader loses vertices whose neighbours leave a loop earlier
#include "surface/displacement.glsl"

uniform ivec2 cells;  // columns and rows
uniform vec4 fan;     // azimuth of the first column and angle of all columns [rad], nearest distance [m], ln of farthest / nearest

out vec2 still;       // position on still water [m]
out vec3 relative;    // displaced position [m]
out float spacing;    // m, between vertices

void main() {
    vec2 share = vec2(gl_InstanceID + gl_VertexID % 2, gl_VertexID / 2) / vec2(cells);
    float azimuth = fan.x + fan.y * share.x, distance = fan.z * exp(fan.w * share.y);
    spacing = distance * max(fan.y / float(cells.x), fan.w / float(cells.y));
    still = distance * vec2(sin(azimuth), -cos(azimuth));
    float fall = distance * distance / (2.0 * EARTH_RADIUS);
    relative = vec3(still.x, -fall, still.y) + displacement(still, log2(spacing));
    gl_Position = view_projection * vec4(relative, 1.0);
}
