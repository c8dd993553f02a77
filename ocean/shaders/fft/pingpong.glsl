// STAGES that read one half of the storage and write the other in turn. The first stage reads the kernel's input, the
// last one writes its result. Invocations read the writes of others of the group, so each stage ends by synchronising
// the storage.
#include "fft/shared_elements.glsl"

bool stage_reads_front(int stage) { return (stage & 1) == 0; }

Element read_stage(int stage, int element) {
    if (stage == 0) return load_element(element);
    return stage_reads_front(stage) ? load_front(place(element)) : load_back(place(element));
}

void write_stage(int stage, int element, Element value) {
    if (stage == STAGES - 1) store_element(element, value);
    else if (stage_reads_front(stage)) store_back(place(element), value);
    else store_front(place(element), value);
}
