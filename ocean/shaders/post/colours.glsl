// Displayed colour of a pixel: its light and the bloom, through a tone curve. tests/reference/picture.py has the reference
// implementation of the curves.
#include "common/bindings.glsl"
#include "post/bloom.glsl"
#include "post/srgb.glsl"

layout(binding = SAMPLER_HDR) uniform sampler2D hdr;
#if BLOOM
layout(binding = SAMPLER_BLOOM) uniform sampler2D bloom;
uniform float glare;  // fraction of the light that the lens spreads
#endif

#if CURVE == ACES
// The ACES filmic curve as fitted by Hill (2017).
const mat3 INPUT = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
const mat3 OUTPUT = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);

vec3 displayed(vec3 radiance) {
    vec3 v = INPUT * radiance;
    v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
    return srgb(clamp(OUTPUT * v, 0.0, 1.0));
}
#else
// AgX (Sobotka 2022) with the sigmoid fitted by Wrensch (2023). AgX leaves contrast to a look: here contrast scales stops
// about those of a grey card.
const mat3 INSET = mat3(0.842479062253094, 0.0423282422610123, 0.0423756549057051,
                        0.0784335999999992, 0.878468636469772, 0.0784336,
                        0.0792237451477643, 0.0791661274605434, 0.879142973793104);
const mat3 OUTSET = mat3(1.19687900512017, -0.0528968517574562, -0.0529716355144438, -0.0980208811401368, 1.15190312990417,
                         -0.0980434501171241, -0.0990297440797205, -0.0989611768448433, 1.15107367264116);
const float LOW = -12.47393, HIGH = 4.026069;  // stops
const float CARD = 0.6061, GREY = 0.5906;      // a grey card from LOW (0) to HIGH (1), and its value after contrast
const float CONTRAST = 1.45, SATURATION = 1.1;
// From a stop above the card on, contrast falls, so that only HIGH is white: glitter keeps its detail.
const float KNEE = CARD + 1.0 / (HIGH - LOW), AT_KNEE = GREY + CONTRAST / (HIGH - LOW);
const float STEEP = CONTRAST * (1.0 - KNEE) / (1.0 - AT_KNEE);

vec3 displayed(vec3 radiance) {
    vec3 x = (clamp(log2(max(INSET * radiance, 1e-10)), LOW, HIGH) - LOW) / (HIGH - LOW);
    vec3 above = max(x - KNEE, 0.0) / (1.0 - KNEE);
    x = max(GREY + CONTRAST * (min(x, KNEE) - CARD), 0.0) + (1.0 - AT_KNEE) * STEEP * above / (1.0 + (STEEP - 1.0) * above);
    vec3 x2 = x * x, x4 = x2 * x2;
    x = max(15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2 + 0.1191 * x - 0.00232, 0.0);
    float grey = dot(x, vec3(0.2126, 0.7152, 0.0722));
    return clamp(OUTSET * (grey + SATURATION * (x - grey)), 0.0, 1.0);
}
#endif

// Returns the displayed colour, 0 to 1, of a pixel of `hdr`.
vec3 colour_of(ivec2 pixel) {
    vec3 radiance = texelFetch(hdr, pixel, 0).rgb;
#if BLOOM
    radiance = mix(radiance, upsampled(bloom, pixel, textureSize(hdr, 0)), glare);
#endif
    return displayed(radiance);
}
