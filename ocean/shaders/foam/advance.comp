#version 430
// Foam is born where the summed surface of all cascades is about to fold, and decays at a rate that knows no frames:
//     f <- max(f e^{-dt / tau}, clamp((J_t - J) / width, 0, 1)), and 0 at or below the cut-off.
// The Jacobian is not linear in the waves, so it exists on no tile: the cascades' derivatives are summed at world points
// of still water first. Texels that have just come into the window start from the fresh foam alone.
#include "common/copies.glsl"
#include "common/jacobian.glsl"
#include "foam/map.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = SAMPLER_MAPS) uniform sampler2DArray maps;
layout(binding = SAMPLER_DERIVATIVES) uniform sampler2DArray derivatives;
layout(binding = SAMPLER_FOAM) uniform sampler2DArray past;
layout(r32f, binding = IMAGE_FOAM) writeonly uniform image2DArray foam;

vec3 summed_derivatives(vec2 position) {
    vec2 slope = vec2(0.0);
    vec3 D = vec3(0.0);
    int c = 0, i;
    do {
        Copies copies = find_copies(cascades[c], position);
        float lod = cascades[c].foam_lod;
        i = 0;
        do {
            Copy copy = nth_copy(cascades[c], copies, i);
            vec4 moved = textureLod(maps, vec3(copy.uv, 2 * c), lod);
            add_derivatives(copy, moved, textureLod(derivatives, vec3(copy.uv, derivative_layer(c)), lod), slope, D);
        } while (++i < cascades[c].copies);
    } while (++c < cascade_count);
    return choppiness * D;
}

void main() {
    int level = int(gl_GlobalInvocationID.z);
    ivec2 local = ivec2(gl_GlobalInvocationID.xy);  // within the window
    ivec2 world = windows[level].xy + local;
    ivec3 texel = ivec3(wrap(world), level);

    vec2 position = corners[level].xy + (vec2(local) + 0.5) * corners[level].z;
    float born = clamp((foam_threshold - jacobian(summed_derivatives(position))) / foam_width, 0.0, 1.0);

    ivec2 before = world - windows[level].zw;
    bool known = corners[level].w > 0.0 && all(greaterThanEqual(before, ivec2(0))) && all(lessThan(before, ivec2(FOAM_SIZE)));
    float aged = known ? foam_decay * texelFetch(past, texel, 0).r : 0.0;

    float value = max(aged, born);
    imageStore(foam, texel, vec4(value > foam_cutoff ? value : 0.0));
}
