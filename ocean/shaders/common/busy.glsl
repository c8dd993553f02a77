// A loop of dependent arithmetic that no compiler can shorten: the fixed work for calibrating clocks and for the
// reference pass of captures. The result stays in [-1, 1].

uniform int iterations;

float busy_work(float seed) {
    float x = seed;
    for (int i = 0; i < iterations; ++i) x = x * 0.999 - 0.001 * x * x + 1e-7;
    return x;
}
