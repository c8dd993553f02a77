#version 430
// The definition, term by term: X[k] = sum_n x[n] e^{direction 2 pi i k n / SIZE}, SIZE^2 terms per line (Mota 2022,
// chapter 2). Shared memory holds the line and the SIZE roots of unity; one invocation sums one X[k].
#include "fft/line.glsl"
#include "fft/roots.glsl"
#include "fft/elements.glsl"

shared Element x[SIZE];
shared Root w[SIZE];  // e^{direction 2 pi i k / SIZE}

#define RUN 16  // terms of a partial sum: rounding grows with sqrt(SIZE / RUN)

void main() {
    int k = thread();
    x[k] = load_element(k);
    w[k] = root(k, SIZE);
    memoryBarrierShared();
    barrier();

    Element total = Element(0.0);
    int turn = 0;  // = k n mod SIZE, exact; k n / SIZE as a float would lose its fraction
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
