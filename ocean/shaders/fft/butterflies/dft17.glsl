#include "fft/butterflies/dft16.glsl"

const int POWERS_17[] = int[](1, 3, 9, 10, 13, 5, 15, 11, 16, 14, 8, 7, 4, 12, 2, 6);  // 3^q modulo 17: all but 0
const Root RADER_17[] = Root[](  // the transform of b[q] = e^{2 pi i 3^(-q) / 17}, divided by 16
    Root(-0.0625000000000000000lf, 0.0lf), Root(-0.145326518773307410lf, 0.212806139341024485lf),
    Root(0.190495588022386815lf, 0.173544463881753016lf), Root(0.0390702846153464666lf, 0.254715062098957590lf),
    Root(0.158588096416362558lf, -0.203115892226665743lf), Root(-0.0582869374168692540lf, -0.251015702549784656lf),
    Root(0.0195553794628766371lf, -0.256951040344387208lf), Root(0.255183347341994131lf, -0.0358846657966209445lf),
    Root(0.257694101601103784lf, 0.0lf), Root(-0.255183347341994131lf, -0.0358846657966209445lf),
    Root(0.0195553794628766371lf, 0.256951040344387208lf), Root(0.0582869374168692540lf, -0.251015702549784656lf),
    Root(0.158588096416362558lf, 0.203115892226665743lf), Root(-0.0390702846153464666lf, 0.254715062098957590lf),
    Root(0.190495588022386815lf, -0.173544463881753016lf), Root(0.145326518773307410lf, 0.212806139341024485lf));

// Rader 1968: with indices as powers of the generator 3, results other than X[0] are a cyclic convolution of length 16,
//     X[3^(-p)] = x[0] + sum_q x[3^q] b[p - q],
// which is two transforms of 16 elements with products between them. A term added to element 0 between them is added to
// all results of the second. An inverse transform is the conjugate of the transform of the conjugate.
void dft(inout Element x[17]) {
    Element a[16];
    for (int q = 0; q < 16; ++q) a[q] = x[POWERS_17[q]];
    dft(a);
    Element sum = x[0] + a[0];
    for (int k = 0; k < 16; ++k) a[k] = conjugate(cmul(a[k], directed(RADER_17[k])));
    a[0] += conjugate(x[0]);
    dft(a);
    for (int p = 0; p < 16; ++p) x[POWERS_17[(16 - p) % 16]] = conjugate(a[p]);
    x[0] = sum;
}
