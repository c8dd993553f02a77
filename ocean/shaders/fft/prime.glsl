// A butterfly of any odd prime radix R, in loops that the compiler unrolls. C and S are tables of cos and sin(2 pi j /
// R) for j from 1 to R / 2. With q and R - q folded together, results k and R - k share all products:
//     X[k], X[R - k] = x[0] + sum_q cos(2 pi q k / R) (x[q] + x[R - q]) +- turn(sum_q sin(2 pi q k / R) (x[q] - x[R - q]))
#define PRIME_DFT(R, C, S)                                                                   \
    void dft(inout Element x[R]) {                                                           \
        Element first = x[0], sums[R / 2], differences[R / 2];                               \
        for (int q = 1; q <= R / 2; ++q) {                                                   \
            sums[q - 1] = x[q] + x[R - q];                                                   \
            differences[q - 1] = x[q] - x[R - q];                                            \
            x[0] += sums[q - 1];                                                             \
        }                                                                                    \
        for (int k = 1; k <= R / 2; ++k) {                                                   \
            Element even = first, odd = Element(0.0);                                        \
            for (int q = 1; q <= R / 2; ++q) {                                               \
                int j = q * k % R;                                                           \
                even += C[min(j, R - j) - 1] * sums[q - 1];                                  \
                odd += (2 * j < R ? 1.0 : -1.0) * S[min(j, R - j) - 1] * differences[q - 1]; \
            }                                                                                \
            odd = turn(odd);                                                                 \
            x[k] = even + odd;                                                               \
            x[R - k] = even - odd;                                                           \
        }                                                                                    \
    }
