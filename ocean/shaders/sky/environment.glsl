// Maps the upper hemisphere of directions to a square (hemi-octahedral: Cigolle et al. 2014), y up.
vec3 environment_direction(vec2 uv) {
    vec2 e = 2.0 * uv - 1.0, p = 0.5 * vec2(e.x + e.y, e.x - e.y);
    return vec3(p.x, 1.0 - abs(p.x) - abs(p.y), p.y);  // not of unit length
}

vec2 environment_uv(vec3 direction) {
    vec3 d = vec3(direction.x, max(direction.y, 0.0), direction.z);
    vec2 p = d.xz / (abs(d.x) + d.y + abs(d.z));
    return 0.5 + 0.5 * vec2(p.x + p.y, p.x - p.y);
}

// Standard deviation [rad] of the Gaussian lobe of a mip level with `side` texels per side: two texels at the zenith,
// so that linear interpolation adds little blur. Level 0 is the sky itself.
float lobe_deviation(float side) { return 2.0 * sqrt(2.0) / side; }

const float AUREOLE = 0.15;  // standard deviation of the aureole, the bright part of the sky about the sun [rad]

// Radiance of the aureole relative to its centre.
float aureole(vec3 direction, vec3 sun) { return exp((dot(direction, sun) - 1.0) / (AUREOLE * AUREOLE)); }
