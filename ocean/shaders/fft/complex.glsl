// Complex arithmetic. A texel is two complex numbers that go through the same butterflies: (re, im, re, im).

#define TWO_PI 6.28318530717958648

// e^{2 pi i turns}
vec2 cis_turns(float turns) {
    float angle = TWO_PI * (turns - round(turns));
    return vec2(cos(angle), sin(angle));
}

// Both numbers of `a` times `w`.
vec4 cmul(vec4 a, vec2 w) {
    return vec4(a.xz * w.x - a.yw * w.y, a.xz * w.y + a.yw * w.x).xzyw;
}

// Both numbers of `a` times i.
vec4 mul_i(vec4 a) {
    return vec4(-a.y, a.x, -a.w, a.z);
}
