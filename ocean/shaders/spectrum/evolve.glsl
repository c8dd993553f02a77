// The spectrum at time t, and the eight real fields that it gives, packed as four complex ones (Tessendorf 2001, eq. 43
// to 46; two real fields a transform: for real a, b the inverse transform of A + iB is a + ib).
//
// Phases are integers (n steps a loop period times ticks of the clock, mod 2^32), so that they are as exact after a day
// as after a second.

struct Packed {
    vec4 displacement;  // h + i Dxz, Dx + i Dz
    vec4 derivatives;   // hx + i hz, Dxx + i Dzz
};

// The phase wt of `n` loop steps of w(k).
float phase(uint n, uint ticks) {
    return float(int(n * ticks)) * 1.4629180792671596e-9;  // 2 pi / 2^32
}

// H(k, t) = h0(k) e^{-iwt} + conj(h0(-k)) e^{+iwt}; `amplitude` is (h0(k), conj h0(-k)).
vec2 evolve(vec4 amplitude, uint n, uint ticks) {
    float c = cos(phase(n, ticks)), s = sin(phase(n, ticks));
    vec2 sum = amplitude.xy + amplitude.zw, difference = amplitude.xy - amplitude.zw;
    return c * sum + s * vec2(difference.y, -difference.x);
}

// dH/dt / w: the same a quarter turn later.
vec2 evolve_turned(vec4 amplitude, uint n, uint ticks) {
    float c = cos(phase(n, ticks)), s = sin(phase(n, ticks));
    vec2 sum = amplitude.xy + amplitude.zw, difference = amplitude.xy - amplitude.zw;
    return c * vec2(difference.y, -difference.x) - s * sum;
}

// The eight fields of H at wave vector k [rad/m] over water of this depth [m].
Packed pack(vec2 H, vec2 k, float depth) {
    float length_k = length(k);
    if (length_k == 0.0) return Packed(vec4(0.0), vec4(0.0));
    // Horizontal orbits are wider than high where the bottom is felt: every D carries coth(kd).
    float inverse_k = 1.0 / (length_k * tanh(min(length_k * depth, 20.0)));
    vec2 iH = vec2(-H.y, H.x);
    // For p, q real multiples: A + iB with A = p H is p H + q iH; with A = p iH it is p iH - q H.
    vec2 D = k * inverse_k;
    return Packed(
        vec4(H - k.x * D.y * iH, D.x * iH - D.y * H),
        vec4(k.x * iH - k.y * H, -k.x * D.x * H - k.y * D.y * iH));
}
