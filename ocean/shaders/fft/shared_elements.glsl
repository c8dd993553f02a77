// elements.glsl for kernels whose invocations read the stores of others of their group. The storage is coherent:
// otherwise no barrier makes stores visible to other invocations (GLSL 4.30, section 4.10).
#define SHARING coherent
#include "fft/elements.glsl"

// Makes the stores of this invocation visible to the others of its group.
void synchronise_storage() {
#if BUFFER
    memoryBarrierBuffer();
#else
    memoryBarrierImage();
#endif
    barrier();
}
