#version 430
// Cooley-Tukey of radix 2, 4 or 8 in place, in time or in frequency (Davis and Dharma; Beechwood). The line is put in
// order by reversing the digits of its places: before the stages in time, after them in frequency.
//
// Stage 0 has radix FIRST_RADIX, which takes up what makes SIZE no power of RADIX, and all others have RADIX. In time
// they run upwards: elements lie `span` apart, are turned by the roots, then transformed. In frequency all of it runs
// backwards: they are transformed, then turned. Elements of stage 0 are neighbours, whose roots are 1.
//
// With IN_SHARED one dispatch does an axis, in shared memory. Without, each step is a dispatch of its own: the stages
// stay in one image and the reversal moves the line to the other.
#include "common/bindings.glsl"
#include "fft/line.glsl"
#include "fft/roots.glsl"
#include "fft/elements.glsl"
#include "fft/butterflies.glsl"

#define STEPS (STAGES + 1)

// Work storage, in which elements wait between steps.
#if IN_SHARED
shared Element work[SIZE];
Element fetch(int place) { return work[place]; }
void put(int place, Element value) { work[place] = value; }
#else
uniform int chosen_step;
Element fetch(int p) { return load_front(place(p)); }
void put(int p, Element value) { store_front(place(p), value); }
#endif

// The place of an element whose digits are reversed: the lowest digit, of base RADIX, becomes the highest. What is left
// at the top is a digit of base FIRST_RADIX.
#if REVERSAL == 0  // reverses all bits, and those within each digit once more
int reversed(int element) {
    uint e = uint(element);
#if LOG2_RADIX == 2
    const uint whole = ((1u << (LOG2_SIZE & ~1)) - 1u) & 0x55555555u;  // low bits of whole digits
    e = (e & ~(3u * whole)) | (e & whole) << 1 | (e >> 1 & whole);
#elif LOG2_RADIX == 3
    const uint whole = ((1u << (LOG2_SIZE / 3 * 3)) - 1u) & 0x09249249u;
    uint rest = e >> (LOG2_SIZE / 3 * 3);
    if (FIRST_RADIX == 4) rest = rest << 1 & 2u | rest >> 1;
    e = (e & 2u * whole) | (e & whole) << 2 | (e >> 2 & whole) | rest << (LOG2_SIZE / 3 * 3);
#endif
    return int(bitfieldReverse(e) >> (32 - LOG2_SIZE));
}
#elif REVERSAL == 1  // takes digits off one end and appends them to the other
int reversed(int element) {
    int place = 0;
    for (int stage = STAGES - 1; stage > 0; --stage) {
        place = place * RADIX + element % RADIX;
        element /= RADIX;
    }
    return place * FIRST_RADIX + element;
}
#else  // looks it up
layout(std430, binding = STORAGE_PLACES) readonly buffer Places { int places[]; };
int reversed(int element) { return places[element]; }
#endif

void reorder() {
    for (int e = thread(); e < SIZE; e += THREADS) {
#if IN_SHARED
        if (IN_TIME == 1) put(reversed(e), load_element(e));
#else
        if (IN_TIME == 1) store_back(place(reversed(e)), load_element(e));
#endif
        else store_element(e, fetch(reversed(e)));
    }
}

void first_stage() {
    for (int place = thread() * FIRST_RADIX; place < SIZE; place += THREADS * FIRST_RADIX) {
        Element x[FIRST_RADIX];
        for (int i = 0; i < FIRST_RADIX; ++i) x[i] = fetch(place + i);
        dft(x);
        for (int i = 0; i < FIRST_RADIX; ++i) put(place + i, x[i]);
    }
}

// The widest stage is the last in time, and then writes the result; in frequency it is the first, and reads the input.
void stage(int number) {
    bool widest = number == STAGES - 1;
    int span = FIRST_RADIX << (LOG2_RADIX * (number - 1));
    int p = thread() & (span - 1);
    int place = (thread() - p) * RADIX + p;
    Element x[RADIX];
    for (int i = 0; i < RADIX; ++i) {
        x[i] = IN_TIME == 0 && widest ? load_element(place + i * span) : fetch(place + i * span);
        if (IN_TIME == 1 && i > 0) x[i] = cmul(x[i], root(i * p, RADIX * span));
    }
    dft(x);
    for (int i = 0; i < RADIX; ++i) {
        if (IN_TIME == 0 && i > 0) x[i] = cmul(x[i], root(i * p, RADIX * span));
        if (IN_TIME == 1 && widest) store_element(place + i * span, x[i]);
        else put(place + i * span, x[i]);
    }
}

void run(int step_) {
    int upwards = IN_TIME == 1 ? step_ : STEPS - 1 - step_;
    if (upwards == 0) reorder();
    else if (upwards == 1) first_stage();
    else stage(upwards - 1);
}

void main() {
#if IN_SHARED
    run(0);
    for (int step_ = 1; step_ < STEPS; ++step_) {
        memoryBarrierShared();
        barrier();
        run(step_);
    }
#else
    run(chosen_step);
#endif
}
