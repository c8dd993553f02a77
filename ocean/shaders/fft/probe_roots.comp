#version 430
// What this driver's sine and cosine make of the roots of unity: e^{2 pi i k / n} for each k.
#include "common/bindings.glsl"
#include "fft/complex.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = STORAGE_SINK) writeonly buffer Sink { vec2 roots[]; };

uniform int n;

void main() {
    int k = int(gl_GlobalInvocationID.x);
    roots[k] = cis_turns(float(k) / float(n));
}
