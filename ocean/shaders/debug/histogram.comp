#version 430
// Counts the values of a debug view: for each of three numbers, the pixels in each of BINS equal parts of the colours.
#include "common/bindings.glsl"

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = SAMPLER_DEBUG_VALUES) uniform sampler2D values;  // rgb; a > 0 where there is a value
layout(binding = STORAGE_SINK, std430) buffer Counts { uint counts[3 * BINS]; };

uniform vec2 range;        // values of the first and the last colour
uniform bool logarithmic;
uniform int parts;         // numbers of the view

shared uint own[3 * BINS];

void main() {
    for (uint i = gl_LocalInvocationIndex; i < uint(3 * BINS); i += 256u) own[i] = 0u;
    memoryBarrierShared();
    barrier();
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    bool inside = all(lessThan(pixel, textureSize(values, 0)));
    vec4 v = texelFetch(values, min(pixel, textureSize(values, 0) - 1), 0);
    for (int part = 0; part < parts && inside && v.a > 0.0; ++part) {
        float t = logarithmic ? log(max(v[part], 1e-30) / range.x) / log(range.y / range.x)
                              : (v[part] - range.x) / (range.y - range.x);
        atomicAdd(own[part * BINS + int(clamp(t, 0.0, 0.9999) * float(BINS))], 1u);
    }
    memoryBarrierShared();
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < uint(3 * BINS); i += 256u)
        if (own[i] > 0u) atomicAdd(counts[i], own[i]);
}
