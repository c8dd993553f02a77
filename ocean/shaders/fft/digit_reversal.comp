#version 430
// In-place Cooley-Tukey of radix 2, 4 or 8, decimation in time or in frequency (Davis and Dharma; Beechwood). The digit
// reversal of positions comes before the stages in time, and after them in frequency.
//
// Stage 0 has radix FIRST_RADIX, the part of SIZE that is not a power of RADIX; all other stages have RADIX. In time,
// stages run upwards: elements lie `span` apart, are multiplied by roots, then transformed. In frequency, stages run
// downwards: elements are transformed, then multiplied by roots. Elements of stage 0 are neighbours with roots 1.
//
// Stages below NARROW join elements of one block of BLOCK neighbours. A work group holds GROUP elements, one block or
// several, in shared memory. It does the reversal and these stages in one dispatch: the first dispatch in time, the
// last in frequency. Each wider stage has its own dispatch, in place in the front half. The reversal moves the line to
// the back half. With NARROW = STAGES, one dispatch does an axis in place. With NARROW = 0, each step has its own
// dispatch, without shared memory.
#include "fft/line.glsl"
#include "fft/roots.glsl"
#include "fft/elements.glsl"
#include "fft/butterflies.glsl"

#define GROUPS (SIZE / GROUP)  // work groups of a line
int part() { return group().y; }  // number of this work group

uniform int chosen_stage;  // stage of this dispatch; REVERSAL_STAGE: the reversal and the narrow stages
#define REVERSAL_STAGE -1

// Elements lie in a group's slots between two steps of one dispatch, and in the front half between dispatches.
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

// Returns the position of an element with reversed digits: the lowest digit, of base RADIX, becomes the highest. The
// highest digit has base FIRST_RADIX.
#if REVERSAL == 0  // reverses all bits, and the bits within each digit once more
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
#elif REVERSAL == 1  // removes digits at one end and appends them at the other
int reversed(int element) {
    int place = 0;
    for (int digit = STAGES - 1; digit > 0; --digit) {
        place = place * RADIX + element % RADIX;
        element /= RADIX;
    }
    return place * FIRST_RADIX + element;
}
#else  // reads a table
layout(std430, binding = STORAGE_PLACES) readonly buffer Places { int places[]; };
int reversed(int element) { return places[element]; }
#endif

// In natural order a group has every GROUPS-th element of a line. Elements that are SIZE / BLOCK apart have the same
// low digits. The reversal makes these the high digits, so that such elements meet in one block.
void reorder() {
    for (int i = thread(); i < GROUP; i += THREADS) {
        int element = part() + i * GROUPS, target = reversed(element);
        int slot = i % (GROUP / BLOCK) * BLOCK + target % BLOCK;
        if (IN_TIME == 1) put(REVERSAL_STAGE, slot, target, load_element(element));
        else store_element(element, fetch(REVERSAL_STAGE, slot, target));
    }
}

// Returns the position in the line of the element in a slot.
int place_of(int slot) {
    return GROUPS == 1 ? slot : reversed(part() + slot / BLOCK * GROUPS) + slot % BLOCK;
}

// If stage 0 is narrow, so is the next stage, and elements stay in slots. If it is wide, a group has GROUP neighbours.
void first_stage() {
    int first = NARROW > 0 ? 0 : part() * GROUP;
    for (int i = thread() * FIRST_RADIX; i < GROUP; i += THREADS * FIRST_RADIX) {
        Element x[FIRST_RADIX];
        for (int q = 0; q < FIRST_RADIX; ++q) x[q] = fetch(0, i + q, first + i + q);
        dft(x);
        for (int q = 0; q < FIRST_RADIX; ++q) put(0, i + q, first + i + q, x[q]);
    }
}

// Butterflies of a narrow stage are numbered in the group's slots, butterflies of a wide stage in the line. Only the
// widest narrow stage converts slots to positions: it ends the dispatch in time and begins it in frequency.
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
