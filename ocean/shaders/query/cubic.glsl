// Reads maps between their texels by cubic convolution (Keys 1981, with a = -1/2), from the finest level.
//
// Halfway between texels, the linear filter of a texture unit loses (k texel)² / 8 of a wave's height. It also rounds the
// fraction of a texel to 1/256. Cubic convolution loses 3/128 (k texel)^4. The maps may have FINER times the texels of
// the sea's.
#include "common/copies.glsl"

#ifndef FINER
#define FINER 1
#endif

// Returns the weights of four texels for a point at a fraction t between the second and the third.
vec4 cubic_weights(float t) {
    vec4 powers = vec4(1.0, t, t * t, t * t * t);
    return 0.5 * vec4(dot(powers, vec4(0.0, -1.0, 2.0, -1.0)), dot(powers, vec4(2.0, 0.0, -5.0, 3.0)),
                      dot(powers, vec4(0.0, 1.0, 4.0, -3.0)), dot(powers, vec4(0.0, 0.0, -1.0, 1.0)));
}

// Returns the value of a layer at texture coordinates of `tile_uv`.
vec4 cubic(sampler2DArray map, vec2 uv, int layer) {
    int texels = FINER * size;
    vec2 texel = float(FINER) * (fract(uv) * float(size) - 0.5);
    ivec2 first = ivec2(floor(texel)) - 1 + texels;  // % is undefined below 0
    vec4 along = cubic_weights(fract(texel.x)), across = cubic_weights(fract(texel.y));
    vec4 sum = vec4(0.0);
    for (int j = 0; j < 4; ++j) {
        vec4 row = vec4(0.0);
        for (int i = 0; i < 4; ++i) row += along[i] * texelFetch(map, ivec3((first + ivec2(i, j)) % texels, layer), 0);
        sum += across[j] * row;
    }
    return sum;
}
