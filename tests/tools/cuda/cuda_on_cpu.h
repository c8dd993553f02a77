// What our CUDA sources need of CUDA, on the CPU: a block at a time, whose threads take turns at barriers. For tests of
// what kernels compute; what caches do is seen on a GPU only.
#include <ucontext.h>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <math.h>

#define __global__
#define __device__
#define __restrict__

struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
struct int2 { int x, y; };
struct dim3 { unsigned x, y, z; };
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline int2 make_int2(int x, int y) { return {x, y}; }

static dim3 threadIdx, blockIdx, blockDim;
struct Thread { ucontext_t place; bool is_over; };
static Thread* running;
static ucontext_t turns;

inline void __syncthreads() { swapcontext(&running->place, &turns); }
inline void __threadfence() {}
inline unsigned __brev(unsigned x) {
    unsigned y = 0;
    for (int bit = 0; bit < 32; ++bit) y |= (x >> bit & 1u) << (31 - bit);
    return y;
}
inline void sincospif(float x, float* s, float* c) {
    *s = (float)sin(M_PI * x);
    *c = (float)cos(M_PI * x);
}

struct Surface { char* data; int pitch; };  // bytes of a row
typedef uint64_t cudaSurfaceObject_t;       // its address
inline char* surface_at(cudaSurfaceObject_t surface, int x, int y) {
    const Surface* s = (const Surface*)surface;
    return s->data + (size_t)y * s->pitch + x;
}
template <typename T> void surf2Dwrite(T value, cudaSurfaceObject_t surface, int x, int y) {
    memcpy(surface_at(surface, x, y), &value, sizeof value);
}

template <typename Kernel> void launch(const unsigned* grid, unsigned threads, const Kernel& kernel) {
    static const Kernel* started;
    started = &kernel;
    const size_t stack = 1 << 16;
    Thread* block = (Thread*)malloc(threads * sizeof(Thread));
    char* stacks = (char*)malloc(threads * stack);
    blockDim = {threads, 1, 1};
    for (unsigned y = 0; y < grid[1]; ++y)
        for (unsigned x = 0; x < grid[0]; ++x) {
            blockIdx = {x, y, 0};
            for (unsigned t = 0; t < threads; ++t) {
                ucontext_t* place = &block[t].place;
                getcontext(place);
                place->uc_stack = {stacks + t * stack, 0, stack};
                place->uc_link = &turns;
                block[t].is_over = false;
                makecontext(place, [] { (*started)(); running->is_over = true; }, 0);
            }
            for (unsigned left = threads; left;)  // each goes on to its next barrier, or to its end
                for (unsigned t = 0; t < threads; ++t)
                    if (!block[t].is_over) {
                        threadIdx = {t, 0, 0};
                        running = block + t;
                        swapcontext(&turns, &block[t].place);
                        left -= block[t].is_over;
                    }
        }
    free(stacks);
    free(block);
}
