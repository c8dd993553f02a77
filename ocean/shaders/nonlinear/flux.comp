#version 430
// Writes the changes of elevation and potential by breaking in a time step as a complex number, 2 div(viscosity grad), with
// central differences.
#include "common/bindings.glsl"
#include "nonlinear/orders.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rg32f, binding = IMAGE_FRONT) writeonly uniform image2DArray front;
layout(binding = SAMPLER_VISCOSITY) uniform sampler2D viscosity;  // m²/s

uniform float cell;       // side of a cell of the grid [m]
uniform float time_step;  // s

// Returns the flux of elevation and potential along an axis at a point.
vec2 flux(ivec2 point, int axis) {
    point &= ivec2(POINTS - 1);
    return texelFetch(viscosity, point, 0).r * vec2(field(point, 1, 3 + axis), field(point, 1, 1 + axis));
}

void main() {
    ivec2 point = ivec2(gl_GlobalInvocationID.xy);
    if (max(point.x, point.y) >= POINTS) return;
    vec2 along = flux(point + ivec2(1, 0), 0) - flux(point - ivec2(1, 0), 0);
    vec2 across = flux(point + ivec2(0, 1), 1) - flux(point - ivec2(0, 1), 1);
    imageStore(front, ivec3(point, 0), vec4(time_step / cell * (along + across), 0.0, 0.0));
}
