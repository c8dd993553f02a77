// The still water of a round earth, in polar coordinates around the origin.
#include "common/view.glsl"

// Horizontal position [m] at a distance [m] and a bearing in turns. A full turn is exactly no turn, so that the last
// sector closes with the first.
vec2 horizontal(vec2 polar) {
    float angle = 2.0 * PI * fract(polar.y);
    return polar.x * vec2(cos(angle), sin(angle));
}

// Relative position of still water, which falls away with the earth's curvature.
vec3 still_water(vec2 polar) {
    vec2 p = horizontal(polar);
    return vec3(p.x, -polar.x * polar.x / (2.0 * EARTH_RADIUS), p.y);
}
