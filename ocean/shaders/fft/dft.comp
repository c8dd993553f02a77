#version 430
// The definition, term by term: X[k] = sum_n x[n] e^{direction 2 pi i k n / SIZE}, SIZE^2 terms a line (Mota 2022,
// chapter 2). The line and the SIZE different roots of unity lie in shared memory; an invocation adds up one X[k].
#include "fft/line.glsl"
#include "fft/roots.glsl"
#include "fft/elements.glsl"

shared Element x[SIZE];
shared Root w[SIZE];  // e^{direction 2 pi i k / SIZE}

#define RUN 16  // terms that are added up before they join the total, so that rounding grows with sqrt(SIZE / RUN)

void main() {
    int k = thread();
    x[k] = load_element(k);
    w[k] = root(k, SIZE);
    memoryBarrierShared();
    barrier();

    Element total = Element(0.0);
    int turn = 0;  // = k n mod SIZE, an exact integer; k n / SIZE as a float would lose the digits that matter
    for (int n = 0; n < SIZE;) {
        Element part = Element(0.0);
        for (int end = min(n + RUN, SIZE); n < end; ++n) {
            part += cmul(x[n], w[turn]);
            turn += k;
            if (turn >= SIZE) turn -= SIZE;
        }
        total += part;
    }
    store_element(k, total);
}
