// A Stockham transform of SIZE elements in the registers of a line's THREADS invocations (Govindaraju et al. 2008,
// sections IV.B and IV.D). A stage of radix R has SIZE / R butterflies j, which are dealt to the invocations in turn.
// With s the product of the radices before it and k = j mod s, y[(j - k) R + k + s r] = sum_q x[j + q SIZE / R]
// e^{direction 2 pi i k q / (s R)} e^{direction 2 pi i q r / R}. Between stages the elements are exchanged through
// shared memory, whole or in PARTS one after the other. The kernel loads the registers of the first stage, and stores
// results from the input registers of the last stage. It includes `group.glsl` first, and defines TRANSFORMS, the
// number of transforms that it does in turn.
#include "fft/register_butterflies.glsl"

// Butterflies of an invocation. If THREADS does not divide them, some invocations have one less.
#define BUTTERFLIES(radix) ((SIZE / (radix) + THREADS - 1) / THREADS)

bool has_butterfly(int radix, int b) {
    return SIZE / radix % THREADS == 0 || thread() + b * THREADS < SIZE / radix;
}

// Repeats code for each register i of a stage, which is element i / BUTTERFLIES of butterfly i % BUTTERFLIES. Written
// out, because registers need constant indices and compilers unroll only short loops.
#define EACH_1(m, radix, body)                                                                            \
    if ((m) < (radix) * BUTTERFLIES(radix) && has_butterfly(radix, (m) % BUTTERFLIES(radix))) {           \
        const int i = min(m, ELEMENTS - 1);                                                               \
        body;                                                                                             \
    }
#define EACH_4(m, radix, body) \
    EACH_1(m, radix, body) EACH_1(m + 1, radix, body) EACH_1(m + 2, radix, body) EACH_1(m + 3, radix, body)
#define EACH_8(m, radix, body) EACH_4(m, radix, body) EACH_4(m + 4, radix, body)
#define EACH_16(m, radix, body) EACH_8(m, radix, body) EACH_8(m + 8, radix, body)
#if ELEMENTS <= 4
#define EACH(radix, body) EACH_4(0, radix, body)
#elif ELEMENTS <= 8
#define EACH(radix, body) EACH_8(0, radix, body)
#elif ELEMENTS <= 16
#define EACH(radix, body) EACH_16(0, radix, body)
#elif ELEMENTS <= 32
#define EACH(radix, body) EACH_16(0, radix, body) EACH_16(16, radix, body)
#elif ELEMENTS <= 64
#define EACH(radix, body) \
    EACH_16(0, radix, body) EACH_16(16, radix, body) EACH_16(32, radix, body) EACH_16(48, radix, body)
#else
#error an invocation holds 64 elements at most: a radix is too large
#endif

// Returns the position of the element of register i before a stage: the part that all invocations share, and the whole.
int input_offset(int radix, int i) {
    return i % BUTTERFLIES(radix) * THREADS + i / BUTTERFLIES(radix) * (SIZE / radix);
}
int input_index(int radix, int i) { return thread() + input_offset(radix, i); }

int modulo(int j, int stride) { return int(uint(j) % uint(stride)); }

// Returns the position of the first result of a butterfly; the others follow at the stride of the stage.
int output_index(int radix, int stride, int b) {
    int j = thread() + b * THREADS, k = modulo(j, stride);
    return (j - k) * radix + k;
}

// Multiplies element q of butterfly b by its root w[q]. Each root is computed or read; with POWERS only the first and
// every fourth, and the others are products of few of these, because errors add up.
#define IS_PRODUCT(q) (bool(POWERS) && (q) > 1 && (q) % 4 != 0)
#define FACTOR(q) ((q) < 4 ? 1 : (q) % 4)
#define NEXT_ROOT(q) (IS_PRODUCT(q) ? rmul(w[(q) - FACTOR(q)], w[FACTOR(q)]) : root((q) * k, n))
#define TWIDDLE(q)                                                                                   \
    if ((q) < radix) {                                                                               \
        w[q] = NEXT_ROOT(q);                                                                         \
        v[b + (q) * s] = cmul(v[b + (q) * s], w[q]);                                                 \
    }

#define TWIDDLE_4(q) TWIDDLE(q) TWIDDLE(q + 1) TWIDDLE(q + 2) TWIDDLE(q + 3)
#define TWIDDLE_16(q) TWIDDLE_4(q) TWIDDLE_4(q + 4) TWIDDLE_4(q + 8) TWIDDLE_4(q + 12)
#define FIRST_TWIDDLES TWIDDLE(1) TWIDDLE(2) TWIDDLE(3) TWIDDLE_4(4) TWIDDLE_4(8) TWIDDLE_4(12)
#if ELEMENTS <= 16  // no radix exceeds ELEMENTS
#define MOST_ROOTS 16
#define TWIDDLES FIRST_TWIDDLES
#elif ELEMENTS <= 32
#define MOST_ROOTS 32
#define TWIDDLES FIRST_TWIDDLES TWIDDLE_16(16)
#else
#define MOST_ROOTS 64
#define TWIDDLES FIRST_TWIDDLES TWIDDLE_16(16) TWIDDLE_16(32) TWIDDLE_16(48)
#endif

void run_stage(int radix, int stride) {
    int s = BUTTERFLIES(radix), n = stride * radix;
    for (int b = 0; b < BUTTERFLIES(radix); ++b) {
        if (stride > 1) {
            int k = modulo(thread() + b * THREADS, stride);
            Root w[MOST_ROOTS];
            TWIDDLES
        }
        butterfly(radix, b, BUTTERFLIES(radix));
    }
}

#if SPLIT
#include "fft/register_halves.glsl"
#else
#if STAGES > 1
#include "fft/register_exchange.glsl"
#endif

// The host lists the stages after the first as THEN(R, S, N): a stage of radix N after one of radix R and stride S. Its
// constants let the compiler unroll loops.
#define THEN(radix, stride, next_radix)    \
    exchange(radix, stride, next_radix);   \
    run_stage(next_radix, stride * radix);

void transform_registers() {
    run_stage(RADIX_0, 1);
    LATER_STAGES
}
#endif
