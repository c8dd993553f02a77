// Between its STAGES a line lives in the two images in turn. The first stage reads the kernel's input and the last
// writes its result. Invocations read what others of the group wrote, so each stage ends with a memory barrier on
// images that are coherent, and with an execution barrier.
#include "fft/elements.glsl"

bool stage_reads_front(int stage) { return bool(READS_FRONT) == ((stage & 1) == 0); }

vec4 read_stage(int stage, int element) {
    if (stage == 0) return load_element(element);
    return stage_reads_front(stage) ? imageLoad(front, texel(element)) : imageLoad(back, texel(element));
}

void write_stage(int stage, int element, vec4 value) {
    if (stage == STAGES - 1) store_element(element, value);
    else if (stage_reads_front(stage)) imageStore(back, texel(element), value);
    else imageStore(front, texel(element), value);
}

void end_stage() {
    memoryBarrierImage();
    barrier();
}
