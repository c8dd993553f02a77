// The fields of the orders at a point of the grid.
#include "nonlinear/fields.glsl"

layout(binding = SAMPLER_ORDERS) uniform sampler2DArray orders[ORDER];

// Returns four fields of order m. Indices of samplers are constants: llvmpipe takes the first one for any other.
vec4 four_fields(ivec3 place, int m) {
    if (m == 1) return texelFetch(orders[0], place, 0);
    if (m == 2) return texelFetch(orders[1], place, 0);
#if ORDER > 2
    if (m == 3) return texelFetch(orders[2], place, 0);
#endif
#if ORDER > 3
    if (m == 4) return texelFetch(orders[3], place, 0);
#endif
#if ORDER > 4
    if (m == 5) return texelFetch(orders[4], place, 0);
#endif
    return vec4(0.0);
}

// Returns field f of order m.
float field(ivec2 point, int m, int f) { return four_fields(ivec3(point, f / 4), m)[f % 4]; }

// Returns the n-th vertical derivative at still water of the potential of order m.
float potential(ivec2 point, int m, int n) { return field(point, m, derivative(m, n)); }
