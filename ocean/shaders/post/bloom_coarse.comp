#version 430
// Adds all coarser levels of the bloom's pyramid to one of its levels, in shared memory: with a dispatch for each, these small
// levels would take longer to begin than to run. The result is the same as by bloom_down.comp and bloom_up.comp.
#include "common/bindings.glsl"

struct SharedLevel { ivec2 size; int first; };  // size, and index of the first texel
#define LEVEL SharedLevel

shared float texels[3 * TEXELS];  // a vec3 would take the memory of a vec4

vec3 texel(int i) { return vec3(texels[3 * i], texels[3 * i + 1], texels[3 * i + 2]); }

void set_texel(int i, vec3 light) {
    texels[3 * i] = light.r;
    texels[3 * i + 1] = light.g;
    texels[3 * i + 2] = light.b;
}

ivec2 size_of(SharedLevel level) { return level.size; }
vec3 texel_of(SharedLevel level, ivec2 at) { return texel(level.first + at.y * level.size.x + at.x); }

#include "post/bloom.glsl"

layout(local_size_x = GROUP) in;
layout(rgba32f, binding = IMAGE_SKY) uniform image2D image;

uniform int coarser;   // number of coarser levels
uniform float spread;  // weight of the coarser levels in each level

// Loops over the texels of a level that this invocation computes.
#define EACH_TEXEL(i, level) for (int i = int(gl_LocalInvocationIndex); i < level.size.x * level.size.y; i += GROUP)

ivec2 place(int i, SharedLevel level) { return ivec2(i % level.size.x, i / level.size.x); }

void main() {
    SharedLevel level = SharedLevel(imageSize(image), 0);
    EACH_TEXEL(i, level) set_texel(i, imageLoad(image, place(i, level)).rgb);
    for (int k = 0; k < coarser; ++k) {
        SharedLevel fine = level;
        level = SharedLevel(max(fine.size / 2, 1), fine.first + fine.size.x * fine.size.y);
        memoryBarrierShared();
        barrier();
        EACH_TEXEL(i, level) set_texel(level.first + i, mean_over(fine, place(i, level), level.size));
    }
    for (int k = coarser - 1; k >= 0; --k) {
        SharedLevel coarse = level;
        ivec2 size = max(imageSize(image) >> k, 1);
        level = SharedLevel(size, coarse.first - size.x * size.y);
        memoryBarrierShared();
        barrier();
        EACH_TEXEL(i, level) {
            vec3 wider = upsampled(coarse, place(i, level), level.size);
            set_texel(level.first + i, mix(texel(level.first + i), wider, spread));
        }
    }
    EACH_TEXEL(i, level) imageStore(image, place(i, level), vec4(texel(i), 1.0));
}
