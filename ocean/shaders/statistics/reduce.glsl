// Sums eight numbers over the invocations of a work group, and writes the sums as two vec4 at the index of the group in a
// buffer. The host sums the groups in float64. ocean/validation/periodogram.py does the same in numpy.
#include "common/bindings.glsl"

#define THREADS 256

layout(local_size_x = THREADS) in;

layout(std430, binding = STORAGE_SINK) writeonly buffer Sums { vec4 sums[]; };

shared vec4 partial_low[THREADS], partial_high[THREADS];

// Writes the sums of `low` and `high` over the work group.
void write_sums(vec4 low, vec4 high, uint group) {
    uint i = gl_LocalInvocationIndex;
    barrier();  // readers of earlier sums are done
    partial_low[i] = low;
    partial_high[i] = high;
    for (uint n = THREADS / 2u; n > 0u; n /= 2u) {
        memoryBarrierShared();
        barrier();
        if (i < n) {
            partial_low[i] += partial_low[i + n];
            partial_high[i] += partial_high[i + n];
        }
    }
    if (i == 0u) {
        sums[2u * group] = partial_low[0];
        sums[2u * group + 1u] = partial_high[0];
    }
}
