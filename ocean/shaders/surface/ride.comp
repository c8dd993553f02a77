#version 430
// The camera never sinks below the water by accident: where waves come up to it, it rides them; unless it dives. One
// work group, a point of a ring around the eye a thread; the highest water counts.
#include "surface/displacement.glsl"

layout(local_size_x = RING) in;

layout(std430, binding = STORAGE_VIEW) buffer View {  // the head of the view's uniform block
    mat4 view_projection;
    mat4 clip_to_ray;
    vec4 eye;
};

uniform bool dives;
uniform float radius;  // m, of the ring

const float CLEARANCE = 0.4;  // m, that the eye keeps over the water at least
const float SOFTNESS = 0.2;   // m, over which standing still turns into riding

shared float heights[RING];

vec3 displacement_at(vec2 position) { return displacement(position, FINEST); }

#include "query/inversion.glsl"

void main() {
    int i = int(gl_LocalInvocationIndex);
    float angle = 6.28318530717958648 * float(i) / float(RING);
    heights[i] = find_water(radius * vec2(cos(angle), sin(angle)), vec2(0.0)).displacement.y;
    memoryBarrierShared();
    barrier();
    if (i != 0) return;
    float water = heights[0];
    for (int j = 1; j < RING; ++j) water = max(water, heights[j]);
    float missing = water + CLEARANCE - eye.y;
    // The greater of two, without a kink.
    float lift = dives ? 0.0 : 0.5 * (missing + length(vec2(missing, SOFTNESS)));
    eye.y += lift;
    eye.w = water - eye.y;
    view_projection[3] -= lift * view_projection[1];
}
