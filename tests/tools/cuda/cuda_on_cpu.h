// What our CUDA sources need of CUDA, on the CPU: a thread a thread, a block at a time. For tests of what kernels
// compute; what caches do is seen on a GPU only.
#include <barrier>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

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

static thread_local dim3 threadIdx, blockIdx;
static dim3 blockDim;
static std::unique_ptr<std::barrier<>> block_barrier;

inline void __syncthreads() { block_barrier->arrive_and_wait(); }
inline void __threadfence() {}
inline unsigned __brev(unsigned x) {
    unsigned y = 0;
    for (int bit = 0; bit < 32; ++bit) y |= (x >> bit & 1u) << (31 - bit);
    return y;
}
inline void sincospif(float x, float* s, float* c) {
    *s = (float)std::sin(M_PI * x);
    *c = (float)std::cos(M_PI * x);
}

struct Surface { char* data; int pitch; };  // bytes of a row
typedef uint64_t cudaSurfaceObject_t;       // its address
inline char* surface_at(cudaSurfaceObject_t surface, int x, int y) {
    const Surface* s = (const Surface*)surface;
    return s->data + (size_t)y * s->pitch + x;
}
template <typename T> void surf2Dwrite(T value, cudaSurfaceObject_t surface, int x, int y) {
    std::memcpy(surface_at(surface, x, y), &value, sizeof value);
}

inline void launch(const unsigned* grid, unsigned threads, const std::function<void()>& kernel) {
    blockDim = {threads, 1, 1};
    for (unsigned y = 0; y < grid[1]; ++y)
        for (unsigned x = 0; x < grid[0]; ++x) {
            block_barrier = std::make_unique<std::barrier<>>(threads);
            std::vector<std::thread> block;
            for (unsigned t = 0; t < threads; ++t)
                block.emplace_back([=, &kernel] {
                    threadIdx = {t, 0, 0};
                    blockIdx = {x, y, 0};
                    kernel();
                    block_barrier->arrive_and_drop();
                });
            for (auto& thread : block) thread.join();
        }
}
