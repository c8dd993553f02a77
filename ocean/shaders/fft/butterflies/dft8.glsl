#include "fft/butterflies/dft4.glsl"

// Transforms of even and odd elements, inner roots of the odd ones, then pairs.
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

void dft(inout Element x[8]) { dft8(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]); }
