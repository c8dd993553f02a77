#version 430
// Corners of the surface's patches: rings around the origin whose radii grow by a constant factor out to the horizon,
// cut into sectors, so that all patches look about as large from the camera. Ring 0 is the disc inside the first radius.
#include "common/view.glsl"

uniform int rings;
uniform int sectors;
uniform float inner_radius;  // m

out vec2 corner;  // distance from the origin [m], and bearing in turns

float radius(int ring) {
    if (ring == 0) return 0.0;
    return inner_radius * pow(horizon / inner_radius, float(ring - 1) / float(rings - 1));
}

void main() {
    int patch_ = gl_VertexID >> 2, which = gl_VertexID & 3;
    int ring = patch_ / sectors + (which >> 1);
    int sector = patch_ % sectors + (which & 1);
    corner = vec2(radius(ring), float(sector) / float(sectors));
}
