#include "fft/butterflies/dft4.glsl"

// e^{direction 2 pi i k / 16} for k = 1 and 3.
#define ROOT_16 directed(Root(0.923879532511286756lf, 0.382683432365089772lf))
#define ROOT_16_3 directed(Root(0.382683432365089772lf, 0.923879532511286756lf))

// Four by four: transforms of the columns, inner roots, transforms of the rows, transpose.
void dft16(inout Element a0, inout Element a1, inout Element a2, inout Element a3,
           inout Element b0, inout Element b1, inout Element b2, inout Element b3,
           inout Element c0, inout Element c1, inout Element c2, inout Element c3,
           inout Element d0, inout Element d1, inout Element d2, inout Element d3) {
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

void dft(inout Element x[16]) {
    dft16(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13], x[14], x[15]);
}
