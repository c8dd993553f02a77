#version 430
// Writes the eddy viscosity after a time step: of crests that break now, and of earlier breakers, which move with their
// crests and fade. Crests move with the velocity C that fits u = E C and w = -C . grad eta best, in the main direction of the
// waves. E is the strain of linear waves, so that its largest eigenvalue is the ratio of the water's speed at a crest to the
// crest's (docs/theory/breaking.md).
#include "common/bindings.glsl"
#include "nonlinear/orders.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = SAMPLER_STRAINS) uniform sampler2DArray strains;
layout(binding = SAMPLER_VISCOSITY) uniform sampler2D last;
layout(r32f, binding = IMAGE_VISCOSITY) writeonly uniform image2D viscosity;  // m²/s

uniform float cell;           // side of a cell of the grid [m]
uniform float time_step;      // s
uniform float most;           // viscosity of a complete breaker [m²/s]
uniform float gravity;        // m/s²
uniform float slowest;        // phase speed of the shortest waves [m/s]
uniform float breaking_time;  // time constant of a breaker, in 1 / w
uniform float spreading;      // distance to each side in a time step, in 1 / k
uniform float spread_share;   // fraction that goes to each side
uniform vec2 breaking;        // ratio of speeds where breaking begins, and where it is complete
uniform vec2 steepest;        // the same for the slope

// Returns the last viscosity at a point of the grid, linear between its points.
float viscosity_at(vec2 point) {
    ivec2 first = ivec2(floor(point)), most_index = ivec2(POINTS - 1), second = (first + 1) & most_index;
    vec2 t = point - floor(point);
    first &= most_index;
    float a = mix(texelFetch(last, first, 0).r, texelFetch(last, ivec2(second.x, first.y), 0).r, t.x);
    float b = mix(texelFetch(last, ivec2(first.x, second.y), 0).r, texelFetch(last, second, 0).r, t.x);
    return mix(a, b, t.y);
}

// Returns the change of the vertical velocity from the point before to the point after a point along an axis.
float rising(ivec2 point, ivec2 axis) {
    ivec2 last = ivec2(POINTS - 1);
    return potential((point + axis) & last, 1, 1) - potential((point - axis) & last, 1, 1);
}

void main() {
    ivec2 point = ivec2(gl_GlobalInvocationID.xy);
    if (max(point.x, point.y) >= POINTS) return;
    vec2 current = vec2(field(point, 1, 1), field(point, 1, 2)), slope = vec2(field(point, 1, 3), field(point, 1, 4));
    vec3 strain = texelFetch(strains, ivec3(point, 0), 0).xyz;
    mat2 E = mat2(strain.xy, strain.yz);
    float ratio = 0.5 * (strain.x + strain.z) + length(vec2(0.5 * (strain.x - strain.z), strain.y));
    // The normal equations of the fit, projected on their main axis.
    mat2 fit = E * E + outerProduct(slope, slope);
    float angle = 0.5 * atan(2.0 * fit[0][1] + 1e-30, fit[0][0] - fit[1][1]);  // atan(0, 0) is undefined
    vec2 axis = vec2(cos(angle), sin(angle));
    float speed = dot(axis, E * current - potential(point, 1, 1) * slope) / (dot(axis, fit * axis) + 1e-6);
    vec2 steep = slope + 0.5 * time_step / cell * vec2(rising(point, ivec2(1, 0)), rising(point, ivec2(0, 1)));
    float begun = most * max(smoothstep(breaking.x, breaking.y, ratio), smoothstep(steepest.x, steepest.y, length(steep)));
    // In deep water 1 / w = C / g and 1 / k = C² / g.
    float fading = exp(-time_step * gravity / (breaking_time * max(abs(speed), slowest)));
    vec2 velocity = speed * axis / cell, here = vec2(point) - time_step * velocity;
    vec2 wider = spreading * abs(speed) / gravity * velocity;
    float old = (1.0 - 2.0 * spread_share) * viscosity_at(here);
    old += spread_share * (viscosity_at(here + wider) + viscosity_at(here - wider));
    imageStore(viscosity, point, vec4(max(begun, fading * old)));
}
