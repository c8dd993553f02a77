#version 430
// Lifts the camera over waves that reach it, unless it dives. One work group samples the surface on a ring around the
// eye, one point per invocation; the highest point counts.
#include "common/group.glsl"
#include "surface/displacement.glsl"

layout(local_size_x = RING) in;

layout(std430, binding = STORAGE_VIEW) buffer View {  // the head of the view's uniform block
    mat4 view_projection;
    mat4 clip_to_ray;
    vec4 eye;
};

uniform bool dives;
uniform float radius;  // radius of the ring [m]

const float CLEARANCE = 0.4;  // m: minimum height of the eye over the water
const float SOFTNESS = 0.2;   // m: range of heights in which the lift sets in

shared float heights[RING];

vec3 displacement_at(vec2 position) { return displacement(position, FINEST); }

#include "query/inversion.glsl"

void main() {
    int i = int(gl_LocalInvocationIndex);
    float angle = 6.28318530717958648 * float(i) / float(RING);
    heights[i] = find_water(radius * vec2(cos(angle), sin(angle)), vec2(0.0)).displacement.y;
    wait_for_group();
    if (i != 0) return;
    float water = heights[0];
    for (int j = 1; j < RING; ++j) water = max(water, heights[j]);
    float missing = water + CLEARANCE - eye.y;
    // A smooth maximum of 0 and `missing`.
    float lift = dives ? 0.0 : 0.5 * (missing + length(vec2(missing, SOFTNESS)));
    eye.y += lift;
    eye.w = water - eye.y;
    view_projection[3] -= lift * view_projection[1];
}
