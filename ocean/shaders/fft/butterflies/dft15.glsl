#include "fft/butterflies/dft3.glsl"
#include "fft/butterflies/dft5.glsl"

// Good (1958): as 3 and 5 share no factor, x[5 a + 3 b mod 15] is a grid whose transform needs no inner roots. Result
// k is at a = k mod 3 and b = k mod 5.
void dft(inout Element x[15]) {
    dft3(x[0], x[5], x[10]);
    dft3(x[3], x[8], x[13]);
    dft3(x[6], x[11], x[1]);
    dft3(x[9], x[14], x[4]);
    dft3(x[12], x[2], x[7]);
    dft5(x[0], x[3], x[6], x[9], x[12]);
    dft5(x[5], x[8], x[11], x[14], x[2]);
    dft5(x[10], x[13], x[1], x[4], x[7]);
    swap(x[1], x[8]);
    swap(x[2], x[8]);
    swap(x[3], x[9]);
    swap(x[4], x[8]);
    swap(x[5], x[10]);
    swap(x[6], x[9]);
    swap(x[7], x[11]);
    swap(x[9], x[12]);
    swap(x[11], x[13]);
    swap(x[13], x[14]);
}
