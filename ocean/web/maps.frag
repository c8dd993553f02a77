// The maps of one cascade in metres: (h, Dxz, Dx, Dz) and (hx, hz, Dxx, Dzz).
uniform sampler2D displacement, derivatives;
uniform int size, cascade;
uniform vec2 unit_;  // `units` of evolve.frag

layout(location = 0) out vec4 moved;
layout(location = 1) out vec4 slopes;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy) + ivec2(cascade * size, 0);
    float height = unit_.x, slope = unit_.x / unit_.y;
    moved = vec4(height, slope, height, height) * texelFetch(displacement, texel, 0);
    slopes = slope * texelFetch(derivatives, texel, 0);
}
