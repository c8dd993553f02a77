// The spectrum at time t, and its eight real fields, packed as four complex ones (Tessendorf 2001, eq. 43 to 46). For real
// a and b the inverse transform of A + iB is a + ib, so one transform makes two fields.
//
// Phases are integers (n loop steps times ticks of the clock, mod 2^32), so they are equally exact at any time.
//
// Layers: (h + i Dxz, Dx + i Dz), the displacement, and (hx + i hz, Dxx + i Dzz), the derivatives.

// Returns the phase wt [rad] of a wave with `n` loop steps.
float phase(uint n, uint ticks) {
    return float(int(n * ticks)) * 1.4629180792671596e-9;  // 2 pi / 2^32
}

// Returns H(k, t) = h0(k) e^{-iwt} + conj(h0(-k)) e^{+iwt}; `amplitude` is (h0(k), conj h0(-k)).
vec2 evolve(vec4 amplitude, uint n, uint ticks) {
    float c = cos(phase(n, ticks)), s = sin(phase(n, ticks));
    vec2 sum = amplitude.xy + amplitude.zw, difference = amplitude.xy - amplitude.zw;
    return c * sum + s * vec2(difference.y, -difference.x);
}

// Returns dH/dt / w: `evolve` a quarter turn later.
vec2 evolve_turned(vec4 amplitude, uint n, uint ticks) {
    float c = cos(phase(n, ticks)), s = sin(phase(n, ticks));
    vec2 sum = amplitude.xy + amplitude.zw, difference = amplitude.xy - amplitude.zw;
    return c * vec2(difference.y, -difference.x) - s * sum;
}

// Returns the horizontal amplitude of the orbits for H = 1 at wave vector k [rad/m]: k / |k| coth(|k| depth). Over a bottom
// orbits are wider than high; beyond |k| depth = 10, tanh is 1 in float32.
vec2 orbits(vec2 k, Cascade tile) {
    float square = dot(k, k), inverse = inversesqrt(square), x = square * inverse * tile.depth;
    if (x < 10.0) {  // coth x = (1 + e^{-2x}) / (1 - e^{-2x})
        float decay = exp2(-2.88539008 * x);
        inverse *= (1.0 + decay) / (1.0 - decay);
    }
    return square == 0.0 ? vec2(0.0) : k * inverse;
}

// Return the spectra of the fields of H at k with orbits D, two in a number. For real p and q, A + iB is p H + q iH for
// A = p H and B = q H, and p iH - q H for A = p iH and B = q iH.
vec4 pack_displacement(vec2 H, vec2 k, vec2 D) {
    vec2 iH = vec2(-H.y, H.x);
    return k == vec2(0.0) ? vec4(0.0) : vec4(H - k.x * D.y * iH, D.x * iH - D.y * H);
}

vec4 pack_derivatives(vec2 H, vec2 k, vec2 D) {
    vec2 iH = vec2(-H.y, H.x);
    return vec4(k.x * iH - k.y * H, -k.x * D.x * H - k.y * D.y * iH);
}
