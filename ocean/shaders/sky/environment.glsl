// The upper half of all directions on a square (hemi-octahedral: Cigolle et al. 2014), y up.
vec3 environment_direction(vec2 uv) {
    vec2 e = 2.0 * uv - 1.0, p = 0.5 * vec2(e.x + e.y, e.x - e.y);
    return vec3(p.x, 1.0 - abs(p.x) - abs(p.y), p.y);  // not of unit length
}

vec2 environment_uv(vec3 direction) {
    vec3 d = vec3(direction.x, max(direction.y, 0.0), direction.z);
    vec2 p = d.xz / (abs(d.x) + d.y + abs(d.z));
    return 0.5 + 0.5 * vec2(p.x + p.y, p.x - p.y);
}

// Deviation [rad] of the lobe over which each texel of a mip level is a mean, where that has so many along a side: two of
// its texels at the zenith, so that linear interpolation between them adds little to it. Level 0 is the sky itself.
float lobe_deviation(float side) { return 2.0 * sqrt(2.0) / side; }

const float AUREOLE = 0.15;  // deviation [rad] of the sky's bright part about the sun

// That part, 1 in the middle.
float aureole(vec3 direction, vec3 sun) { return exp((dot(direction, sun) - 1.0) / (AUREOLE * AUREOLE)); }
