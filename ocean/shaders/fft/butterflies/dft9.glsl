#include "fft/butterflies/dft3.glsl"

// e^{direction 2 pi i k / 9} for k = 1, 2 and 4.
#define ROOT_9_1 directed(Root(0.766044443118978035lf, 0.642787609686539326lf))
#define ROOT_9_2 directed(Root(0.173648177666930349lf, 0.984807753012208059lf))
#define ROOT_9_4 directed(Root(-0.939692620785908384lf, 0.342020143325668733lf))

// Three by three: transforms of the columns, inner roots, transforms of the rows, transpose.
void dft(inout Element x[9]) {
    dft3(x[0], x[3], x[6]);
    dft3(x[1], x[4], x[7]);
    dft3(x[2], x[5], x[8]);
    x[4] = cmul(x[4], ROOT_9_1);
    x[5] = cmul(x[5], ROOT_9_2);
    x[7] = cmul(x[7], ROOT_9_2);
    x[8] = cmul(x[8], ROOT_9_4);
    dft3(x[0], x[1], x[2]);
    dft3(x[3], x[4], x[5]);
    dft3(x[6], x[7], x[8]);
    swap(x[1], x[3]);
    swap(x[2], x[6]);
    swap(x[5], x[7]);
}
