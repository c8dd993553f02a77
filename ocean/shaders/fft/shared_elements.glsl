// elements.glsl for kernels in which invocations of a group read what others of it have stored: the storage is coherent,
// without which no barrier makes stores visible to others (GLSL 4.30, section 4.10).
#define SHARING coherent
#include "fft/elements.glsl"

// Let the group's other invocations read what this one stored.
void synchronise_storage() {
#if BUFFER
    memoryBarrierBuffer();
#else
    memoryBarrierImage();
#endif
    barrier();
}
