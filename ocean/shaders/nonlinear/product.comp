#version 430
// Writes the potential of order M at still water on the grid, - sum over n of eta^n / n! d^n/dz^n phi^(M - n).
#include "common/bindings.glsl"
#include "nonlinear/orders.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rg32f, binding = IMAGE_FRONT) writeonly uniform image2DArray front;

void main() {
    ivec2 point = ivec2(gl_GlobalInvocationID.xy);
    if (max(point.x, point.y) >= POINTS) return;
    float eta = field(point, 1, 0), power = 1.0, sum = 0.0;
    for (int n = 1; n < M; ++n) {
        power *= eta / float(n);
        sum -= power * potential(point, M - n, n);
    }
    imageStore(front, ivec3(point, 0), vec4(sum, 0.0, 0.0, 0.0));
}
