#version 430
// Copies layers of complex numbers, two in each texel, into an array with FINER times as many texels along a side. With
// FINER above 1 they are spectra in FFT order, padded with zeros: the transform of the result passes through the texels
// of the coarse maps and has no other waves. Elements of the Nyquist wave number stand for both of its signs.
#include "common/bindings.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = SAMPLER_MAPS) uniform sampler2DArray source;
layout(rgba32f, binding = IMAGE_FRONT) writeonly uniform image2DArray target;

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    int texels = textureSize(source, 0).x, finer = FINER * texels;
    if (texel.x >= finer || texel.y >= finer) return;
    ivec2 wave = texel.xy - finer * ivec2(greaterThan(texel.xy, ivec2(finer / 2))), size = 2 * abs(wave);
    vec4 value = texelFetch(source, ivec3((wave + finer) % texels, texel.z), 0);
#if FINER > 1
    for (int axis = 0; axis < 2; ++axis) value *= size[axis] < texels ? 1.0 : size[axis] == texels ? 0.5 : 0.0;
#endif
    imageStore(target, texel, value);
}
