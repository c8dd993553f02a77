// The exchange of a line's elements between two stages through shared memory: whole, in PARTS one after the other, or
// with ARRAYS whole, each number in an array of its own (Govindaraju et al. 2008, figure 3).
// Part of `registers.glsl`, whose positions and registers it uses.
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

#if ARRAYS
#define NUMBERS (2 * PACKED)
shared Real slots[NUMBERS][LINES * LINE_SLOTS];
void put(int place, PART x) {
    for (int n = 0; n < NUMBERS; ++n) slots[n][place] = x[n];
}
PART taken(int place) {
    PART x;
    for (int n = 0; n < NUMBERS; ++n) x[n] = slots[n][place];
    return x;
}
#else
shared PART slots[LINES * LINE_SLOTS];
void put(int place, PART x) { slots[place] = x; }
PART taken(int place) { return slots[place]; }
#endif

// Returns the slot of element `base + offset` of the invocation's line. One slot is unused after each PADDING slots, so
// that writes at the stride of the first stage spread over the banks of shared memory. `apart` pads base and offset
// separately, so that the offset is a constant of the instruction. That is valid if one of them is a multiple of
// PADDING and the other is a multiple too, or less than PADDING.
int padded(int element) { return PADDING == 0 ? element : element + int(uint(element) / uint(max(PADDING, 1))); }

int slot(int base, int offset, bool apart) {
    int place = apart ? padded(base) + padded(offset) : padded(base + offset);
    return bool(ABREAST) ? place * LINES + lane() : lane() * LINE_SLOTS + place;
}

#define IS_PADDED_APART(offset) ((offset) % max(PADDING, 1) == 0)

// Moves the results of one stage to the invocations of the next. barrier() alone makes writes to shared memory visible
// (GLSL 4.60, section 8.17); memoryBarrierShared() before it took up to a third of the time.
void exchange_part(int radix, int stride, int next_radix, int part) {
    bool fresh = stride == 1 && part == 0 && TRANSFORMS == 1;
    if (!fresh) barrier();  // all slots have been read
    bool first = stride == 1 && radix == PADDING;
    EACH(radix,
        int base = output_index(radix, stride, i % BUTTERFLIES(radix));
        int offset = i / BUTTERFLIES(radix) * stride;
        put(slot(base, offset, first || IS_PADDED_APART(offset)), part_of(v[i], part)))
    barrier();
    EACH(next_radix,
        int offset = input_offset(next_radix, i);
        set_part(v[i], part, taken(slot(thread(), offset, IS_PADDED_APART(offset)))))
}

void exchange(int radix, int stride, int next_radix) {
    exchange_part(radix, stride, next_radix, 0);
#if PARTS > 1
    exchange_part(radix, stride, next_radix, 1);
#endif
#if PARTS > 2
    exchange_part(radix, stride, next_radix, 2);
    exchange_part(radix, stride, next_radix, 3);
#endif
}
