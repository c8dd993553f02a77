// Maps the whole sea to a square, finest around the eye: a distance r lies at r / (SHADOW_SCALE + r) from the centre.
const float SHADOW_SCALE = 8e3;  // m

vec2 shadow_uv(vec2 position) { return 0.5 + 0.5 * position / (SHADOW_SCALE + length(position)); }

// Inverse of `shadow_uv`, and the width of a texel there [m]; distances end at 400 km.
vec2 shadow_position(vec2 uv, float side, out float grain) {
    vec2 q = 2.0 * uv - 1.0;
    float r = length(q), near = 1.0 - min(r, 0.98);
    grain = 2.0 / side * SHADOW_SCALE / (near * near);
    return q * (min(r, 0.98) / max(r, 1e-6)) * SHADOW_SCALE / near;
}
