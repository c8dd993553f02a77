// Short transforms in registers: X[k] = sum_q x[q] e^{direction 2 pi i q k / R}, natural order in and out. Each radix R
// has a file in `butterflies` that overloads `dft` for arrays of R elements. Prime radices fold q and R - q together,
// so that each product is by a real number. Other radices combine shorter transforms, with the products between them
// written out. Constants are doubles, rounded to the precision of elements.
#include "fft/roots.glsl"

#define SQRT_HALF Real(0.707106781186547524lf)

// Returns x e^{direction 2 pi i / 4}.
Element turn(Element x) { return direction * mul_i(x); }

void swap(inout Element a, inout Element b) {
    Element held = a;
    a = b;
    b = held;
}

#include "fft/butterflies/*.glsl"
