#version 430
// Writes the rates of elevation and potential beyond the linear ones, as a complex number: the free-surface equations of
// Zakharov (1968) with the vertical velocity W of West et al. (1987), all products to the order ORDER in steepness.
#include "common/bindings.glsl"
#include "nonlinear/orders.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rg32f, binding = IMAGE_FRONT) writeonly uniform image2DArray front;

float W[ORDER + 1];  // vertical velocity at the surface, by order

// Returns the terms of W² up to an order.
float squares(int order) {
    float sum = 0.0;
    for (int m = 1; m < order; ++m)
        for (int n = 1; m + n <= order; ++n) sum += W[m] * W[n];
    return sum;
}

void main() {
    ivec2 point = ivec2(gl_GlobalInvocationID.xy);
    if (max(point.x, point.y) >= POINTS) return;
    float eta = field(point, 1, 0);
    vec2 current = vec2(field(point, 1, 1), field(point, 1, 2)), slope = vec2(field(point, 1, 3), field(point, 1, 4));
    float beyond = 0.0, shallow = 0.0;  // sums of W from order 2 on, and up to ORDER - 2
    for (int m = 1; m <= ORDER; ++m) {
        float power = 1.0;
        W[m] = potential(point, m, 1);
        for (int n = 1; n < m; ++n) {
            power *= eta / float(n);
            W[m] += power * potential(point, m - n, n + 1);
        }
        if (m > 1) beyond += W[m];
        if (m <= ORDER - 2) shallow += W[m];
    }
    float steep = dot(slope, slope);
    float up = beyond - dot(current, slope) + steep * shallow;
    float push = 0.5 * (squares(ORDER) + steep * squares(ORDER - 2) - dot(current, current));
    imageStore(front, ivec3(point, 0), vec4(up, push, 0.0, 0.0));
}
