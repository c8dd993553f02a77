#version 430
// Finds the water at points of the world, and its height, normal, velocity and Jacobian. Each invocation answers one
// point. With AT_REST the points are rest positions, and the offset is that of the water now. With VELOCITY 1 the rate maps hold the time derivative of the displacement, (ht, -, Dxt, Dzt).
#include "common/jacobian.glsl"
#include "common/second_order.glsl"
#include "query/cubic.glsl"

layout(local_size_x = 64) in;

#include "common/maps.glsl"
#if VELOCITY
layout(binding = SAMPLER_RATES) uniform sampler2DArray rates;
#endif

struct Answer {
    vec4 water;     // height [m], p - x [m], residual [m]
    vec4 normal;    // unit normal, Jacobian
    vec4 velocity;  // [m/s], steps
};

layout(std430, binding = STORAGE_POINTS) readonly buffer Points { vec2 points[]; };
layout(std430, binding = STORAGE_SURFACE) writeonly buffer Surface { Answer answers[]; };

uniform int count;

// Returns (c Dx, h, c Dz) [m] of the water that rests at a position, with its second-order lift.
vec3 displacement_at(vec2 position) {
    vec3 sum = vec3(0.0), longer = vec3(0.0);
    float lifted = 0.0;
    int c = 0;
    do {
        Copies copies = find_copies(cascades[c], position);
        vec3 before = sum;
        do {
            Copy copy = next_copy(cascades[c], copies);
            sum += copy.weight * cubic(maps, copy.uv, 2 * c).zxw;
        } while (copies.left != 0);
        lifted += lift(cascades[c], (sum - before).yxz, longer);
    } while (++c < cascade_count);
    return vec3(choppiness, 1.0, choppiness) * sum + vec3(0.0, choppiness * lifted, 0.0);
}

#include "query/inversion.glsl"

void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i >= count) return;
#if AT_REST
    vec3 moved_ = displacement_at(points[i]);
    Found found = Found(moved_.xz, moved_, 0.0, 0);
    vec2 still = points[i];
#else
    Found found = find_water(points[i], vec2(0.0));
    vec2 still = points[i] + found.offset;
#endif

    vec2 slope = vec2(0.0);
    vec3 D = vec3(0.0), velocity = vec3(0.0), longer_now = vec3(0.0), longer_rate = vec3(0.0);
    Longer longer = Longer(vec3(0.0), vec3(0.0), vec3(0.0));
    vec2 lifted_slope = vec2(0.0);
    float lifted_rate = 0.0;
    int c = 0;
    do {
        Copies copies = find_copies(cascades[c], still);
        vec2 slope_before = slope;
        vec3 D_before = D, velocity_before = velocity, A = vec3(0.0);
        do {
            Copy copy = next_copy(cascades[c], copies);
            vec4 moved = cubic(maps, copy.uv, 2 * c);
            add_derivatives(copy, moved, cubic(maps, copy.uv, 2 * c + 1), slope, D);
            A += copy.weight * moved.xzw;
#if VELOCITY
            velocity += copy.weight * cubic(rates, copy.uv, c).zxw;
#endif
        } while (copies.left != 0);
        lifted_slope += lift_slope(cascades[c], A, slope - slope_before, D - D_before, longer);
        lifted_rate += lift_rate(cascades[c], A, (velocity - velocity_before).yxz, longer_now, longer_rate);
    } while (++c < cascade_count);
    slope += choppiness * lifted_slope;
    D *= choppiness;
    velocity = vec3(choppiness, 1.0, choppiness) * velocity + vec3(0.0, choppiness * lifted_rate, 0.0);
    answers[i] = Answer(vec4(found.displacement.y, found.offset, found.residual),
                        vec4(normalize(surface_normal(slope, D)), jacobian(D)),
                        vec4(velocity, float(found.steps)));
}
