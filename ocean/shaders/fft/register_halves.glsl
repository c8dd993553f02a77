// Three stages, of radix R, 2 R and R, for 2 R^3 elements of two numbers. In the first and the last stage an invocation
// holds R whole elements. In the second stage it holds halves of 2 R elements: the first numbers, while its neighbour
// holds the second numbers. So the larger radix needs no more registers, and saves an exchange compared with radix R.
// Part of `registers.glsl`, whose positions and registers it uses.
//
// A register of the second stage holds number `which()` of inputs q and q + R of butterfly `half_butterfly()`, and
// later of its outputs 2 r and 2 r + 1.
#define R RADIX_0

int which() { return thread() & 1; }
int half_butterfly() { return thread() >> 1; }

// The real parts are exchanged first, then the imaginary parts: first numbers in one plane, second numbers in the
// other.
#define PLANE (LINES * LINE_SLOTS + SPLIT_GAP)

shared Real slots[2 * PLANE];

int padded(int element) { return PADDING == 0 ? element : element + int(uint(element) / uint(max(PADDING, 1))); }

// Base and offset can be padded separately: one is a multiple of R, and the other too, or less than R.
int slot(int plane, int base, int offset) {
    int place = padded(base) + padded(offset);
    return plane * PLANE + (bool(ABREAST) ? place * LINES + lane() : lane() * LINE_SLOTS + place);
}

void halve(int part) {
    bool fresh = part == 0 && TRANSFORMS == 1;
    if (!fresh) barrier();  // all slots have been read
    EACH(R,
        slots[slot(0, thread() * R, i)] = v[i][part];
        slots[slot(1, thread() * R, i)] = v[i][part + 2])
    barrier();
    EACH(R,
        v[i][part] = slots[slot(which(), half_butterfly(), i * (SIZE / (2 * R)))];
        v[i][part + 2] = slots[slot(which(), half_butterfly(), i * (SIZE / (2 * R)) + SIZE / 2)])
}

void join(int part) {
    int k = modulo(half_butterfly(), R), base = (half_butterfly() - k) * 2 * R + k;
    barrier();
    EACH(R,
        slots[slot(which(), base, 2 * i * R)] = v[i][part];
        slots[slot(which(), base, (2 * i + 1) * R)] = v[i][part + 2])
    barrier();
    EACH(R,
        v[i][part] = slots[slot(0, thread(), i * (SIZE / R))];
        v[i][part + 2] = slots[slot(1, thread(), i * (SIZE / R))])
}

// Multiplies both numbers by their roots, where the root of q + R is the root of q times a common one. Then transforms
// the pair that shares a register, and multiplies by the inner roots.
#define MAKE_PAIR(q)                                                                \
    if ((q) < R) {                                                                  \
        const int i = min(q, R - 1);                                                \
        vec2 a = rmul(v[i].xy, w[q]), b = rmul(v[i].zw, rmul(w[q], common_));       \
        v[i] = Element(a + b, rmul(a - b, directed(unit_root(q, 2 * R))));          \
    }
#define NEXT_PAIR(q)                                                                \
    if ((q) < R) w[q] = NEXT_ROOT(q);                                               \
    MAKE_PAIR(q)

void run_half_stage() {
    int k = modulo(half_butterfly(), R), n = 2 * R * R;
    Root w[8], common_ = root(R * k, n);
    w[0] = Root(1.0, 0.0);
    MAKE_PAIR(0)
    NEXT_PAIR(1) NEXT_PAIR(2) NEXT_PAIR(3) NEXT_PAIR(4) NEXT_PAIR(5) NEXT_PAIR(6) NEXT_PAIR(7)
    butterfly(R, 0, 1);  // even and odd results at once
}

void transform_registers() {
    run_stage(R, 1);
    halve(0);
    halve(1);
    run_half_stage();
    join(0);
    join(1);
    run_stage(R, SIZE / R);
}
