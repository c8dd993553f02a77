// Short transforms in registers: X[k] = sum_q x[q] e^{direction 2 pi i q k / R} for R = 2, 3, 4, 5, 7, 8 and 16, natural
// order in and out. The prime ones fold q and R - q together, so that each product is by a real number; the others are
// made of shorter ones, with what lies between written out. Constants are doubles, rounded to what elements are made of.
#include "fft/roots.glsl"

// x times e^{direction 2 pi i / 4}.
Element turn(Element x) { return direction * mul_i(x); }

void dft2(inout Element a, inout Element b) {
    Element difference = a - b;
    a += b;
    b = difference;
}

#define SIN_3 Real(0.866025403784438647lf)  // sin(2 pi / 3)

void dft3(inout Element a, inout Element b, inout Element c) {
    Element sum = b + c;
    Element odd = turn(SIN_3 * (b - c));
    Element even = a - 0.5 * sum;
    a += sum;
    b = even + odd;
    c = even - odd;
}

void dft4(inout Element a, inout Element b, inout Element c, inout Element d) {
    Element ac = a + c, bd = b + d;
    Element a_c = a - c, b_d = turn(b - d);
    a = ac + bd;
    b = a_c + b_d;
    c = ac - bd;
    d = a_c - b_d;
}

#define COS_5_1 Real(0.309016994374947424lf)  // cos(2 pi j / 5)
#define COS_5_2 Real(-0.809016994374947424lf)
#define SIN_5_1 Real(0.951056516295153572lf)
#define SIN_5_2 Real(0.587785252292473129lf)

void dft5(inout Element a, inout Element b, inout Element c, inout Element d, inout Element e) {
    Element be = b + e, cd = c + d, b_e = b - e, c_d = c - d;
    Element even1 = a + COS_5_1 * be + COS_5_2 * cd, odd1 = turn(SIN_5_1 * b_e + SIN_5_2 * c_d);
    Element even2 = a + COS_5_2 * be + COS_5_1 * cd, odd2 = turn(SIN_5_2 * b_e - SIN_5_1 * c_d);
    a += be + cd;
    b = even1 + odd1;
    c = even2 + odd2;
    d = even2 - odd2;
    e = even1 - odd1;
}

#define COS_7_1 Real(0.623489801858733531lf)  // cos(2 pi j / 7)
#define COS_7_2 Real(-0.222520933956314404lf)
#define COS_7_3 Real(-0.900968867902419126lf)
#define SIN_7_1 Real(0.781831482468029809lf)
#define SIN_7_2 Real(0.974927912181823607lf)
#define SIN_7_3 Real(0.433883739117558120lf)

void dft7(inout Element a, inout Element b, inout Element c, inout Element d, inout Element e, inout Element f, inout Element g) {
    Element bg = b + g, cf = c + f, de = d + e, b_g = b - g, c_f = c - f, d_e = d - e;
    Element even1 = a + COS_7_1 * bg + COS_7_2 * cf + COS_7_3 * de;
    Element even2 = a + COS_7_2 * bg + COS_7_3 * cf + COS_7_1 * de;
    Element even3 = a + COS_7_3 * bg + COS_7_1 * cf + COS_7_2 * de;
    Element odd1 = turn(SIN_7_1 * b_g + SIN_7_2 * c_f + SIN_7_3 * d_e);
    Element odd2 = turn(SIN_7_2 * b_g - SIN_7_3 * c_f - SIN_7_1 * d_e);
    Element odd3 = turn(SIN_7_3 * b_g - SIN_7_1 * c_f + SIN_7_2 * d_e);
    a += bg + cf + de;
    b = even1 + odd1;
    c = even2 + odd2;
    d = even3 + odd3;
    e = even3 - odd3;
    f = even2 - odd2;
    g = even1 - odd1;
}

#define SQRT_HALF Real(0.707106781186547524lf)

// Even and odd elements apart, the odd ones turned by eighths, then pairs.
void dft8(inout Element a, inout Element b, inout Element c, inout Element d,
          inout Element e, inout Element f, inout Element g, inout Element h) {
    dft4(a, c, e, g);
    dft4(b, d, f, h);
    Element d1 = SQRT_HALF * (d + turn(d)), d2 = turn(f), d3 = SQRT_HALF * (turn(h) - h);
    Element e0 = a, e1 = c, e2 = e, e3 = g, d0 = b;
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
#define ROOT_16 directed(Root(0.923879532511286756lf, 0.382683432365089772lf))
#define ROOT_16_3 directed(Root(0.382683432365089772lf, 0.923879532511286756lf))

void swap(inout Element a, inout Element b) {
    Element held = a;
    a = b;
    b = held;
}

// Four by four: transforms down the columns, the inner roots, transforms along the rows, and the transpose.
void dft16(inout Element a0, inout Element a1, inout Element a2, inout Element a3, inout Element b0, inout Element b1, inout Element b2,
           inout Element b3, inout Element c0, inout Element c1, inout Element c2, inout Element c3, inout Element d0, inout Element d1,
           inout Element d2, inout Element d3) {
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
void dft(inout Element x[2]) { dft2(x[0], x[1]); }
void dft(inout Element x[4]) { dft4(x[0], x[1], x[2], x[3]); }
void dft(inout Element x[8]) { dft8(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]); }
