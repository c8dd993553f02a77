// The transform of 2, 4 or 8 elements in place, natural order in and out: x[k] = sum_i x[i] e^{direction 2 pi i i k / n}.
// Each is two half as long on its even and odd elements, combined with the roots of its own length. Those of 4 are 1 and
// i; the odd ones of 8 are (+-1 + direction i) / sqrt 2.

#define SQRT_HALF 0.70710678118654752

void dft(inout vec4 x[2]) {
    vec4 difference = x[0] - x[1];
    x[0] += x[1];
    x[1] = difference;
}

void dft(inout vec4 x[4]) {
    vec4 even_sum = x[0] + x[2], even_difference = x[0] - x[2];
    vec4 odd_sum = x[1] + x[3], odd_difference = direction * mul_i(x[1] - x[3]);
    x[0] = even_sum + odd_sum;
    x[1] = even_difference + odd_difference;
    x[2] = even_sum - odd_sum;
    x[3] = even_difference - odd_difference;
}

void dft(inout vec4 x[8]) {
    vec4 even[4] = vec4[4](x[0], x[2], x[4], x[6]);
    vec4 odd[4] = vec4[4](x[1], x[3], x[5], x[7]);
    dft(even);
    dft(odd);
    odd[1] = cmul(odd[1], SQRT_HALF * vec2(1.0, direction));
    odd[2] = direction * mul_i(odd[2]);
    odd[3] = cmul(odd[3], SQRT_HALF * vec2(-1.0, direction));
    for (int k = 0; k < 4; ++k) {
        x[k] = even[k] + odd[k];
        x[k + 4] = even[k] - odd[k];
    }
}
