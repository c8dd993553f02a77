// The iterative transform of Cooley and Tukey with OpenMP: the scheme of Rao 2019, section III. The reversal and the
// loop over groups of butterflies are shared by the threads; the loop over stages is not, and waits for all of them. The
// loop within a group is not shared either, as published, so that the last stage has one thread at work. With `inner`
// it is shared in place of the groups where there are fewer groups than threads.
#include <complex.h>
#include <stddef.h>

static size_t reversed(size_t k, int bits) {
    size_t place = 0;
    for (int bit = 0; bit < bits; ++bit) place |= (k >> bit & 1) << (bits - 1 - bit);
    return place;
}

#define BUTTERFLY(j)                                                    \
    {                                                                   \
        const COMPLEX a = y[k + (j)], b = y[k + (j) + half] * w[(j) * step]; \
        y[k + (j)] = a + b;                                             \
        y[k + (j) + half] = a - b;                                      \
    }
#define TRANSFORM                                                                                 \
    (const COMPLEX *x, COMPLEX *y, const COMPLEX *w, int bits, int threads, int inner) {          \
        const size_t n = (size_t)1 << bits;                                                       \
        _Pragma("omp parallel for num_threads(threads)")                                          \
        for (size_t k = 0; k < n; ++k) y[reversed(k, bits)] = x[k];                               \
        for (size_t half = 1; half < n; half *= 2) {                                              \
            const size_t step = n / (2 * half);                                                   \
            if (!inner || step >= (size_t)threads) {                                              \
                _Pragma("omp parallel for num_threads(threads)")                                  \
                for (size_t k = 0; k < n; k += 2 * half)                                          \
                    for (size_t j = 0; j < half; ++j) BUTTERFLY(j)                                \
            } else {                                                                              \
                for (size_t k = 0; k < n; k += 2 * half) {                                        \
                    _Pragma("omp parallel for num_threads(threads)")                              \
                    for (size_t j = 0; j < half; ++j) BUTTERFLY(j)                                \
                }                                                                                 \
            }                                                                                     \
        }                                                                                         \
    }

#define COMPLEX float complex
void transform_single TRANSFORM
#undef COMPLEX
#define COMPLEX double complex
void transform_double TRANSFORM
