// A Stockham transform of SIZE elements in the registers of a line's THREADS invocations (Govindaraju et al. 2008,
// sections IV.B and IV.D). A stage of any radix R has SIZE / R butterflies j, which the invocations take in turn. With s
// the product of the radices before it and k = j mod s,
//     y[(j - k) R + k + s r] = sum_q x[j + q SIZE / R] e^{direction 2 pi i k q / (s R)} e^{direction 2 pi i q r / R}.
// Between stages the elements change hands through shared memory, whole or in PARTS one after the other. What comes
// before and after is the kernel's: inputs are registers of the first stage, results lie where the last one's inputs did.
// The kernel has included `group.glsl` first, or what includes it, and defined how many TRANSFORMS it makes in turn.
#include "fft/register_butterflies.glsl"

// Butterflies of an invocation; where THREADS does not divide them, some invocations go without the last one.
#define BUTTERFLIES(radix) ((SIZE / (radix) + THREADS - 1) / THREADS)

bool has_butterfly(int radix, int b) {
    return SIZE / radix % THREADS == 0 || thread() + b * THREADS < SIZE / radix;
}

// For each element q of each of the invocation's butterflies b of a stage.
#define FOR_ELEMENTS(radix, b, q)                       \
    for (int b = 0; b < BUTTERFLIES(radix); ++b)        \
        if (has_butterfly(radix, b))                    \
            for (int q = 0; q < (radix); ++q)

// The register that holds it.
#define REGISTER_INDEX(radix, b, q) ((b) + (q) * BUTTERFLIES(radix))
#define REGISTER(radix, b, q) v[REGISTER_INDEX(radix, b, q)]

int input_index(int radix, int b, int q) {
    return thread() + b * THREADS + q * (SIZE / radix);
}

int modulo(int j, int stride) { return int(uint(j) % uint(stride)); }

int output_index(int radix, int stride, int b, int q) {
    int j = thread() + b * THREADS;
    int k = modulo(j, stride);
    return (j - k) * radix + k + q * stride;
}

void run_stage(int radix, int stride) {
    for (int b = 0; b < BUTTERFLIES(radix); ++b) {
        int k = modulo(thread() + b * THREADS, stride);
        if (stride > 1) {
            for (int q = 1; q < radix; ++q) {
                REGISTER(radix, b, q) = cmul(REGISTER(radix, b, q), root(q * k, stride * radix));
            }
        }
        butterfly(radix, b, BUTTERFLIES(radix));
    }
}

#if STAGES > 1
#if PARTS == 1
#define PART Element
PART part_of(Element x, int part) { return x; }
void set_part(inout Element x, int part, PART y) { x = y; }
#elif PARTS == 2 && PACKED == 2
#define PART vec2
PART part_of(Element x, int part) { return part == 0 ? x.xy : x.zw; }
void set_part(inout Element x, int part, PART y) {
    if (part == 0) x.xy = y;
    else x.zw = y;
}
#else
#define PART Real
PART part_of(Element x, int part) { return x[part]; }
void set_part(inout Element x, int part, PART y) { x[part] = y; }
#endif

shared PART slots[LINES * LINE_SLOTS];

// Where an element of the invocation's line is exchanged. One slot in PADDING is left out, so that writes at the stride
// of the first stage spread over the banks of shared memory.
int slot(int element) {
    int padded = PADDING == 0 ? element : element + int(uint(element) / uint(max(PADDING, 1)));
    return bool(ABREAST) ? padded * LINES + lane() : lane() * LINE_SLOTS + padded;
}

// Hand the results of one stage to the invocations that want them in the next. barrier() alone lets them see what was
// written to shared memory (GLSL 4.60, section 8.17); memoryBarrierShared() before it took up to a third of the time.
void exchange(int radix, int stride, int next_radix) {
    for (int part = 0; part < PARTS; ++part) {
        bool fresh = stride == 1 && part == 0 && TRANSFORMS == 1;
        if (!fresh) barrier();  // what the slots held has been read
        FOR_ELEMENTS(radix, b, q) {
            slots[slot(output_index(radix, stride, b, q))] = part_of(REGISTER(radix, b, q), part);
        }
        barrier();
        FOR_ELEMENTS(next_radix, b, q) {
            set_part(REGISTER(next_radix, b, q), part, slots[slot(input_index(next_radix, b, q))]);
        }
    }
}
#endif

// The host lists a line's stages after the first as THEN(R, S, N), of radix N after one of radix R and stride S: a line of
// any number of them, each with constants that the compiler can unroll.
#define THEN(radix, stride, next_radix)    \
    exchange(radix, stride, next_radix);   \
    run_stage(next_radix, stride * radix);

void transform_registers() {
    run_stage(RADIX_0, 1);
    LATER_STAGES
}
