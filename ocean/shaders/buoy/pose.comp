#version 430
// Computes the buoy's pose. The buoy moves with the water that rests at its position. Its water line lies on the
// least-squares plane through the surface at RING points around it. One work group, one point per invocation.
//
// The surface is read like the vertices next to the camera, so that buoy and drawn surface meet.
#include "common/group.glsl"
#include "surface/displacement.glsl"

layout(local_size_x = RING) in;

// Columns: the buoy's axes (east, up and south when level), and its position relative to the origin [m].
layout(std430, binding = STORAGE_POSE) writeonly buffer Pose { mat4 pose; };

uniform vec2 rest;     // rest position of the buoy on still water, relative to the origin [m]
uniform float radius;  // radius of its water line [m]

shared vec3 moments[RING];

vec3 displacement_at(vec2 position) { return displacement(position, FINEST); }

#include "query/inversion.glsl"

void main() {
    int i = int(gl_LocalInvocationIndex);
    vec2 drift = displacement_at(rest).xz;
    float angle = 6.28318530717958648 * float(i) / float(RING);
    vec2 spoke = vec2(cos(angle), sin(angle));
    float height = find_water(rest + drift + radius * spoke, -drift).displacement.y;

    // 1, cos and sin are orthogonal over the ring, so height and slopes of the plane are means.
    moments[i] = height * vec3(1.0, 2.0 * spoke / radius) / float(RING);
    wait_for_group();
    if (i != 0) return;
    vec3 plane = vec3(0.0);  // height, slope along x and along z
    for (int j = 0; j < RING; ++j) plane += moments[j];

    vec3 up = normalize(vec3(-plane.y, 1.0, -plane.z));
    vec3 east = normalize(vec3(1.0, plane.y, 0.0));  // a buoy at a mooring does not turn
    vec2 place = rest + drift;
    pose = mat4(vec4(east, 0.0), vec4(up, 0.0), vec4(cross(east, up), 0.0), vec4(place.x, plane.x, place.y, 1.0));
}
