#version 430
// Cooley-Tukey of radix 2, 4 or 8 in place, in time or in frequency (Davis and Dharma; Beechwood). The line is put in
// order by reversing the digits of its places: before the stages in time, after them in frequency.
//
// Stage 0 has radix FIRST_RADIX, which takes up what makes SIZE no power of RADIX, and all others have RADIX. In time
// they run upwards: elements lie `span` apart, are turned by the roots, then transformed. In frequency all of it runs
// backwards: they are transformed, then turned. Elements of stage 0 are neighbours, whose roots are 1.
//
// The stages below NARROW join elements of one block of BLOCK neighbours. A work group holds GROUP elements, which are
// one such block or several, in shared memory, and does the reversal and these stages in one dispatch: the first in
// time, the last in frequency. The wider stages have a dispatch each, in place in the front half; the reversal moves the
// line to the back one. NARROW may be STAGES: one dispatch does an axis, in place. It may be 0: a dispatch a step, and no
// shared memory.
#include "fft/line.glsl"
#include "fft/roots.glsl"
#include "fft/elements.glsl"
#include "fft/butterflies.glsl"

#define GROUPS (SIZE / GROUP)  // of a line
int part() { return group().y; }  // which of them

uniform int chosen_stage;  // of this dispatch; REVERSAL_STAGE: the reversal and the narrow stages
#define REVERSAL_STAGE -1

// Elements wait between steps in a group's slots, where both steps are of its own dispatch, or else in the front half.
shared Element slots[NARROW > 0 ? GROUP : 1];

Element fetch(int stage, int slot, int at) {
    if (stage < (IN_TIME == 1 ? NARROW : NARROW - 1)) return slots[slot];
    return load_element(at);
}

void put(int stage, int slot, int at, Element value) {
    if (stage < (IN_TIME == 1 ? NARROW - 1 : NARROW)) slots[slot] = value;
    else if (IN_TIME == 1 && stage == STAGES - 1) store_element(at, value);
    else if (stage < NARROW) store_back(place(at), value);  // with the reversal
    else store_front(place(at), value);
}

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
    for (int digit = STAGES - 1; digit > 0; --digit) {
        place = place * RADIX + element % RADIX;
        element /= RADIX;
    }
    return place * FIRST_RADIX + element;
}
#else  // looks it up
layout(std430, binding = STORAGE_PLACES) readonly buffer Places { int places[]; };
int reversed(int element) { return places[element]; }
#endif

// Of a line in natural order a group has each GROUPS-th element. Those that are SIZE / BLOCK apart agree in the low
// digits, which the reversal makes the high ones: they come together in one block.
void reorder() {
    for (int i = thread(); i < GROUP; i += THREADS) {
        int element = part() + i * GROUPS, target = reversed(element);
        int slot = i % (GROUP / BLOCK) * BLOCK + target % BLOCK;
        if (IN_TIME == 1) put(REVERSAL_STAGE, slot, target, load_element(element));
        else store_element(element, fetch(REVERSAL_STAGE, slot, target));
    }
}

// The place in the line of what is in a slot.
int place_of(int slot) {
    return GROUPS == 1 ? slot : reversed(part() + slot / BLOCK * GROUPS) + slot % BLOCK;
}

// Where it is narrow, so is the next: it moves slots to slots. Where it is wide, a group has the whole line.
void first_stage() {
    for (int i = thread() * FIRST_RADIX; i < GROUP; i += THREADS * FIRST_RADIX) {
        Element x[FIRST_RADIX];
        for (int q = 0; q < FIRST_RADIX; ++q) x[q] = fetch(0, i + q, i + q);
        dft(x);
        for (int q = 0; q < FIRST_RADIX; ++q) put(0, i + q, i + q, x[q]);
    }
}

// Butterflies of a narrow stage are counted in the group's slots, those of a wide one in the line. Only the widest of
// the narrow stages exchanges slots for places: it ends their dispatch in time and begins it in frequency.
void later_stage(int stage) {
    int span = FIRST_RADIX << (LOG2_RADIX * (stage - 1));
    int butterfly = thread() + (stage < NARROW ? 0 : part() * THREADS);
    int p = butterfly & (span - 1);
    int slot = (butterfly - p) * RADIX + p;
    int first = stage == NARROW - 1 ? place_of(slot) : slot;
    Element x[RADIX];
    for (int q = 0; q < RADIX; ++q) {
        x[q] = fetch(stage, slot + q * span, first + q * span);
        if (IN_TIME == 1 && q > 0) x[q] = cmul(x[q], root(q * p, RADIX * span));
    }
    dft(x);
    for (int q = 0; q < RADIX; ++q) {
        if (IN_TIME == 0 && q > 0) x[q] = cmul(x[q], root(q * p, RADIX * span));
        put(stage, slot + q * span, first + q * span, x[q]);
    }
}

void run(int stage) {
    if (stage == REVERSAL_STAGE) reorder();
    else if (stage == 0) first_stage();
    else later_stage(stage);
}

void main() {
    if (NARROW < STAGES && chosen_stage != REVERSAL_STAGE) {
        run(chosen_stage);
    } else {
        for (int step_ = 0; step_ <= NARROW; ++step_) {
            if (step_ > 0) {
                memoryBarrierShared();
                barrier();
            }
            run(IN_TIME == 1 ? step_ - 1 : NARROW - 1 - step_);
        }
    }
}
