// Short transforms in registers: X[k] = sum_q x[q] e^{direction 2 pi i q k / R} for R = 2, 3, 4, 5, 7, 8 and 16, natural
// order in and out. The prime ones fold q and R - q together, so that each product is by a real number; the others are
// made of shorter ones, with what lies between written out.
#include "fft/roots.glsl"

// x times e^{direction 2 pi i / 4}.
vec4 turn(vec4 x) { return direction * mul_i(x); }

void dft2(inout vec4 a, inout vec4 b) {
    vec4 difference = a - b;
    a += b;
    b = difference;
}

#define SIN_3 0.866025403784438647  // sin(2 pi / 3)

void dft3(inout vec4 a, inout vec4 b, inout vec4 c) {
    vec4 sum = b + c;
    vec4 odd = turn(SIN_3 * (b - c));
    vec4 even = a - 0.5 * sum;
    a += sum;
    b = even + odd;
    c = even - odd;
}

void dft4(inout vec4 a, inout vec4 b, inout vec4 c, inout vec4 d) {
    vec4 ac = a + c, bd = b + d;
    vec4 a_c = a - c, b_d = turn(b - d);
    a = ac + bd;
    b = a_c + b_d;
    c = ac - bd;
    d = a_c - b_d;
}

#define COS_5 vec2(0.309016994374947424, -0.809016994374947424)  // cos(2 pi j / 5), j = 1, 2
#define SIN_5 vec2(0.951056516295153572, 0.587785252292473129)

void dft5(inout vec4 a, inout vec4 b, inout vec4 c, inout vec4 d, inout vec4 e) {
    vec4 be = b + e, cd = c + d, b_e = b - e, c_d = c - d;
    vec4 even1 = a + COS_5.x * be + COS_5.y * cd, odd1 = turn(SIN_5.x * b_e + SIN_5.y * c_d);
    vec4 even2 = a + COS_5.y * be + COS_5.x * cd, odd2 = turn(SIN_5.y * b_e - SIN_5.x * c_d);
    a += be + cd;
    b = even1 + odd1;
    c = even2 + odd2;
    d = even2 - odd2;
    e = even1 - odd1;
}

#define COS_7 vec3(0.623489801858733531, -0.222520933956314404, -0.900968867902419126)  // cos(2 pi j / 7), j = 1, 2, 3
#define SIN_7 vec3(0.781831482468029809, 0.974927912181823607, 0.433883739117558120)

void dft7(inout vec4 a, inout vec4 b, inout vec4 c, inout vec4 d, inout vec4 e, inout vec4 f, inout vec4 g) {
    vec4 bg = b + g, cf = c + f, de = d + e, b_g = b - g, c_f = c - f, d_e = d - e;
    vec4 even1 = a + COS_7.x * bg + COS_7.y * cf + COS_7.z * de;
    vec4 even2 = a + COS_7.y * bg + COS_7.z * cf + COS_7.x * de;
    vec4 even3 = a + COS_7.z * bg + COS_7.x * cf + COS_7.y * de;
    vec4 odd1 = turn(SIN_7.x * b_g + SIN_7.y * c_f + SIN_7.z * d_e);
    vec4 odd2 = turn(SIN_7.y * b_g - SIN_7.z * c_f - SIN_7.x * d_e);
    vec4 odd3 = turn(SIN_7.z * b_g - SIN_7.x * c_f + SIN_7.y * d_e);
    a += bg + cf + de;
    b = even1 + odd1;
    c = even2 + odd2;
    d = even3 + odd3;
    e = even3 - odd3;
    f = even2 - odd2;
    g = even1 - odd1;
}

#define SQRT_HALF 0.707106781186547524

// Even and odd elements apart, the odd ones turned by eighths, then pairs.
void dft8(inout vec4 a, inout vec4 b, inout vec4 c, inout vec4 d,
          inout vec4 e, inout vec4 f, inout vec4 g, inout vec4 h) {
    dft4(a, c, e, g);
    dft4(b, d, f, h);
    vec4 d1 = SQRT_HALF * (d + turn(d)), d2 = turn(f), d3 = SQRT_HALF * (turn(h) - h);
    vec4 e0 = a, e1 = c, e2 = e, e3 = g, d0 = b;
    a = e0 + d0;
    b = e1 + d1;
    c = e2 + d2;
    d = e3 + d3;
    e = e0 - d0;
    f = e1 - d1;
    g = e2 - d2;
    h = e3 - d3;
}

// e^{direction 2 pi i k / 16} for k = 1 and 3.
#define ROOT_16 vec2(0.923879532511286756, direction * 0.382683432365089772)
#define ROOT_16_3 vec2(0.382683432365089772, direction * 0.923879532511286756)

void swap(inout vec4 a, inout vec4 b) {
    vec4 held = a;
    a = b;
    b = held;
}

// Four by four: transforms down the columns, the inner roots, transforms along the rows, and the transpose.
void dft16(inout vec4 a0, inout vec4 a1, inout vec4 a2, inout vec4 a3, inout vec4 b0, inout vec4 b1, inout vec4 b2,
           inout vec4 b3, inout vec4 c0, inout vec4 c1, inout vec4 c2, inout vec4 c3, inout vec4 d0, inout vec4 d1,
           inout vec4 d2, inout vec4 d3) {
    dft4(a0, b0, c0, d0);
    dft4(a1, b1, c1, d1);
    dft4(a2, b2, c2, d2);
    dft4(a3, b3, c3, d3);
    b1 = cmul(b1, ROOT_16);
    b2 = SQRT_HALF * (b2 + turn(b2));
    b3 = cmul(b3, ROOT_16_3);
    c1 = SQRT_HALF * (c1 + turn(c1));
    c2 = turn(c2);
    c3 = SQRT_HALF * (turn(c3) - c3);
    d1 = cmul(d1, ROOT_16_3);
    d2 = SQRT_HALF * (turn(d2) - d2);
    d3 = -cmul(d3, ROOT_16);
    dft4(a0, a1, a2, a3);
    dft4(b0, b1, b2, b3);
    dft4(c0, c1, c2, c3);
    dft4(d0, d1, d2, d3);
    swap(a1, b0);
    swap(a2, c0);
    swap(a3, d0);
    swap(b2, c1);
    swap(b3, d1);
    swap(c3, d2);
}

// The same for an array.
void dft(inout vec4 x[2]) { dft2(x[0], x[1]); }
void dft(inout vec4 x[4]) { dft4(x[0], x[1], x[2], x[3]); }
void dft(inout vec4 x[8]) { dft8(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]); }
