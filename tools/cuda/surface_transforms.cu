// The transforms of Mota, "High Performance Fourier Transforms on GPUs" (Minho 2022), appendix C, anew and right:
// Cooley-Tukey and Stockham of radix 2 and 4, all stages of an axis in one launch, ping-pong between two surfaces.
//
// A block transforms one line, a thread does one butterfly a stage. Layers lie one below the other, N rows each. The
// stages, indices and roots are those of shaders/fft/cooley_tukey.comp, stockham_radix2.comp and stockham_radix4.comp. Not
// normalised but for `scale`, which the last stage of a launch multiplies by.
//
// CUDA promises nothing about a surface that is read in the launch that wrote it: the L1 cache may hold what was there
// before. So reads go past it (suld with .cg), and a stage ends with a fence before the barrier.

#if PACKED == 2
typedef float4 Element;  // two complex numbers
#else
typedef float2 Element;
#endif
#define N (1 << LOG2_N)

struct Line {
    cudaSurfaceObject_t even, odd;  // the halves that stages of even and of odd number read
    int axis;                       // 0: a row, 1: a column
    float direction;                // +1: e^{+i}, -1: e^{-i}
    float scale;
    int last;  // number of the last stage
};

__device__ int2 place(const Line& line, int element) {
    int top = blockIdx.y * N;  // of the layer
    return line.axis == 0 ? make_int2(element, top + blockIdx.x) : make_int2(blockIdx.x, top + element);
}

__device__ Element read_stage(const Line& line, int stage, int element) {
    cudaSurfaceObject_t from = stage & 1 ? line.odd : line.even;
    int2 p = place(line, element);
    int x = p.x * (int)sizeof(Element);  // in bytes
    Element value;
#if PACKED == 2
    asm volatile("suld.b.2d.cg.v4.b32.trap {%0, %1, %2, %3}, [%4, {%5, %6}];"
                 : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
                 : "l"(from), "r"(x), "r"(p.y) : "memory");
#else
    asm volatile("suld.b.2d.cg.v2.b32.trap {%0, %1}, [%2, {%3, %4}];"
                 : "=f"(value.x), "=f"(value.y) : "l"(from), "r"(x), "r"(p.y) : "memory");
#endif
    return value;
}

__device__ Element operator*(float s, Element a) {
#if PACKED == 2
    return make_float4(s * a.x, s * a.y, s * a.z, s * a.w);
#else
    return make_float2(s * a.x, s * a.y);
#endif
}

__device__ void write_stage(const Line& line, int stage, int element, Element value) {
    int2 p = place(line, element);
    if (stage == line.last) value = line.scale * value;
    surf2Dwrite(value, stage & 1 ? line.even : line.odd, p.x * (int)sizeof(Element), p.y);
}
// Let the block's other threads read what this one has written.
__device__ void synchronise() {
    __threadfence();
    __syncthreads();
}

__device__ Element operator+(Element a, Element b) {
#if PACKED == 2
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
#else
    return make_float2(a.x + b.x, a.y + b.y);
#endif
}

__device__ Element operator-(Element a, Element b) { return a + -1.0f * b; }
__device__ Element product(Element a, float2 w) {
#if PACKED == 2
    return make_float4(a.x * w.x - a.y * w.y, a.x * w.y + a.y * w.x, a.z * w.x - a.w * w.y, a.z * w.y + a.w * w.x);
#else
    return make_float2(a.x * w.x - a.y * w.y, a.x * w.y + a.y * w.x);
#endif
}
// x times e^{direction 2 pi i / 4}.
__device__ Element turned(Element a, float direction) {
#if PACKED == 2
    return direction * make_float4(-a.y, a.x, -a.w, a.z);
#else
    return direction * make_float2(-a.y, a.x);
#endif
}
// e^{direction 2 pi i k / n}; k / n is exact, n being a power of two.
__device__ float2 root(int k, int n, float direction) {
    float2 w;
    sincospif(direction * 2.0f * k / n, &w.y, &w.x);
    return w;
}

// Decimation in time: stages of growing span. The first stage reads in bit-reversed order.
extern "C" __global__ void cooley_tukey(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int axis, float direction,
                                        float scale) {
    Line line = {from, to, axis, direction, scale, LOG2_N - 1};
    for (int stage = 0; stage < LOG2_N; ++stage) {
        int half_span = 1 << stage, p = threadIdx.x & (half_span - 1);
        int upper = 2 * threadIdx.x - p, lower = upper + half_span;
        Element a = read_stage(line, stage, stage == 0 ? __brev(upper) >> (32 - LOG2_N) : upper);
        Element b = read_stage(line, stage, stage == 0 ? __brev(lower) >> (32 - LOG2_N) : lower);
        b = product(b, root(p, 2 * half_span, direction));
        write_stage(line, stage, upper, a + b);
        write_stage(line, stage, lower, a - b);
        synchronise();
    }
}

// Decimation in frequency, natural order in and out: y[q + s 2p], y[q + s (2p + 1)] of x[q + s p], x[q + s (p + m)].
extern "C" __global__ void stockham_radix2(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int axis, float direction,
                                           float scale) {
    Line line = {from, to, axis, direction, scale, LOG2_N - 1};
    int j = threadIdx.x;  // = q + s p
    for (int stage = 0; stage < LOG2_N; ++stage) {
        int n = N >> stage, s = 1 << stage, p = j >> stage;
        Element a = read_stage(line, stage, j), b = read_stage(line, stage, j + N / 2);
        write_stage(line, stage, j + s * p, a + b);
        write_stage(line, stage, j + s * p + s, product(a - b, root(p, n, direction)));
        synchronise();
    }
}

// Four elements a butterfly; an odd log2 N closes with one stage of radix 2, two butterflies a thread.
extern "C" __global__ void stockham_radix4(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int axis, float direction,
                                           float scale) {
    Line line = {from, to, axis, direction, scale, (LOG2_N + 1) / 2 - 1};
    int j = threadIdx.x;  // = q + s p
    for (int stage = 0; stage < LOG2_N / 2; ++stage) {
        int n = N >> (2 * stage), s = 1 << (2 * stage), p = j >> (2 * stage);
        Element a = read_stage(line, stage, j), b = read_stage(line, stage, j + N / 4);
        Element c = read_stage(line, stage, j + N / 2), d = read_stage(line, stage, j + 3 * N / 4);
        Element t = turned(b - d, direction);
        int first = j + 3 * s * p;  // = q + s 4p
        write_stage(line, stage, first, a + c + (b + d));
        write_stage(line, stage, first + s, product(a - c + t, root(p, n, direction)));
        write_stage(line, stage, first + 2 * s, product(a + c - (b + d), root(2 * p, n, direction)));
        write_stage(line, stage, first + 3 * s, product(a - c - t, root(3 * p, n, direction)));
        synchronise();
    }
    for (int i = 0; i < 2 && (LOG2_N & 1); ++i) {
        int k = j + i * N / 4;
        Element a = read_stage(line, line.last, k), b = read_stage(line, line.last, k + N / 2);
        write_stage(line, line.last, k, a + b);
        write_stage(line, line.last, k + N / 2, a - b);
    }
}
