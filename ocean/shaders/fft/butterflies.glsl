// Short transforms in registers: X[k] = sum_q x[q] e^{direction 2 pi i q k / R}, natural order in and out. Each radix R is
// a file of `butterflies`, which overloads `dft` for arrays of R elements. The prime ones fold q and R - q together, so
// that each product is by a real number; the others are made of shorter ones, with what lies between written out.
// Constants are doubles, rounded to what elements are made of.
#include "fft/roots.glsl"

#define SQRT_HALF Real(0.707106781186547524lf)

// x times e^{direction 2 pi i / 4}.
Element turn(Element x) { return direction * mul_i(x); }

#include "fft/butterflies/*.glsl"
