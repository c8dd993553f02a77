#include "fft/prime.glsl"

const Real COS_11[] = Real[](  // cos(2 pi j / 11), j from 1
    Real(0.841253532831181169lf), Real(0.415415013001886425lf), Real(-0.142314838273285140lf),
    Real(-0.654860733945285064lf), Real(-0.959492973614497390lf));
const Real SIN_11[] = Real[](  // sin(2 pi j / 11), j from 1
    Real(0.540640817455597582lf), Real(0.909631995354518371lf), Real(0.989821441880932732lf),
    Real(0.755749574354258284lf), Real(0.281732556841429698lf));

PRIME_DFT(11, COS_11, SIN_11)
