// Transforms of one line in C, with roots w^k from a table of n.
//
// The iterative transform of Cooley and Tukey with OpenMP is the scheme of Rao 2019, section III. The reversal and the
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

// The transforms of Mota 2022, table 2, on one thread: by the definition, by the matrix of roots in `w` (section 2.2.1),
// by recursion, and by decimation in time and in frequency.
#define DIRECT                                                                   \
    (const COMPLEX *x, COMPLEX *y, const COMPLEX *w, int bits) {                 \
        const size_t n = (size_t)1 << bits;                                      \
        for (size_t k = 0; k < n; ++k) {                                         \
            COMPLEX sum = 0;                                                     \
            for (size_t j = 0; j < n; ++j) sum += x[j] * w[j * k & (n - 1)];     \
            y[k] = sum;                                                          \
        }                                                                        \
    }
#define MATRIX                                                                   \
    (const COMPLEX *x, COMPLEX *y, const COMPLEX *w, int bits) {                 \
        const size_t n = (size_t)1 << bits;                                      \
        for (size_t k = 0; k < n; ++k) {                                         \
            COMPLEX sum = 0;                                                     \
            for (size_t j = 0; j < n; ++j) sum += x[j] * w[k * n + j];           \
            y[k] = sum;                                                          \
        }                                                                        \
    }
#define HALVES(halves)                                                                                        \
    static void halves(const COMPLEX *x, COMPLEX *y, const COMPLEX *w, size_t n, size_t stride) {             \
        if (n == 1) {                                                                                         \
            y[0] = x[0];                                                                                      \
            return;                                                                                           \
        }                                                                                                     \
        const size_t half = n / 2, step = stride, k = 0;                                                      \
        halves(x, y, w, half, 2 * stride);                                                                    \
        halves(x + stride, y + half, w, half, 2 * stride);                                                    \
        for (size_t j = 0; j < half; ++j) BUTTERFLY(j)                                                        \
    }
#define RECURSIVE(halves) \
    (const COMPLEX *x, COMPLEX *y, const COMPLEX *w, int bits) { halves(x, y, w, (size_t)1 << bits, 1); }
#define IN_TIME                                                                             \
    (const COMPLEX *x, COMPLEX *y, const COMPLEX *w, int bits) {                            \
        const size_t n = (size_t)1 << bits;                                                 \
        for (size_t k = 0; k < n; ++k) y[reversed(k, bits)] = x[k];                         \
        for (size_t half = 1; half < n; half *= 2) {                                        \
            const size_t step = n / (2 * half);                                             \
            for (size_t k = 0; k < n; k += 2 * half)                                        \
                for (size_t j = 0; j < half; ++j) BUTTERFLY(j)                              \
        }                                                                                   \
    }
#define IN_FREQUENCY                                                                        \
    (const COMPLEX *x, COMPLEX *y, const COMPLEX *w, int bits) {                            \
        const size_t n = (size_t)1 << bits;                                                 \
        for (size_t k = 0; k < n; ++k) y[k] = x[k];                                         \
        for (size_t half = n / 2; half; half /= 2)                                          \
            for (size_t k = 0; k < n; k += 2 * half)                                        \
                for (size_t j = 0; j < half; ++j) {                                         \
                    const COMPLEX a = y[k + j], b = y[k + j + half];                        \
                    y[k + j] = a + b;                                                       \
                    y[k + j + half] = (a - b) * w[j * (n / (2 * half))];                    \
                }                                                                           \
        for (size_t k = 0; k < n; ++k) {                                                    \
            const size_t place = reversed(k, bits);                                         \
            if (place <= k) continue;                                                       \
            const COMPLEX held = y[k];                                                      \
            y[k] = y[place];                                                                \
            y[place] = held;                                                                \
        }                                                                                   \
    }

#define COMPLEX float complex
void transform_single TRANSFORM
void direct_single DIRECT
void matrix_single MATRIX
HALVES(halves_single)
void recursive_single RECURSIVE(halves_single)
void iterative_dit_single IN_TIME
void iterative_dif_single IN_FREQUENCY
#undef COMPLEX
#define COMPLEX double complex
void transform_double TRANSFORM
void direct_double DIRECT
void matrix_double MATRIX
HALVES(halves_double)
void recursive_double RECURSIVE(halves_double)
void iterative_dit_double IN_TIME
void iterative_dif_double IN_FREQUENCY
