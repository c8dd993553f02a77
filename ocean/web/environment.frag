// A level of the environment, the clear sky that water reflects, without the sun's disc [kcd/m²]; (a) is an aureole of
// radiance 1. Level 0 is the sky itself; others are means of the level before over Gaussian lobes, as sky/lobes.comp
// makes them.
#include "sky/clear_sky.glsl"
#include "sky/environment.glsl"

uniform sampler2DArray before;  // the level before alone
uniform int level;

out vec4 radiance;

const int REACH = 8;  // texels to each side

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy), low = max(2 * texel + 1 - REACH, 0);
    int side = textureSize(before, 0).x;  // for level 0, that of level 1: half its own
    vec3 axis = normalize(environment_direction(gl_FragCoord.xy * (level == 0 ? 0.5 : 2.0) / float(side)));
    if (level == 0) {
        radiance = vec4(clear_sky_over_sea(axis), aureole(axis, sun_direction.xyz));
        return;
    }
    float own = lobe_deviation(0.5 * float(side)), blurred = level == 1 ? 0.0 : lobe_deviation(float(side));
    ivec2 high = min(2 * texel + 1 + REACH, side);
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x) {
            vec3 v = environment_direction((vec2(x, y) + 0.5) / float(side));
            float inverse = inversesqrt(dot(v, v));  // its third power is proportional to the texel's solid angle
            float weight = pow(inverse, 3.0) * exp((inverse * dot(axis, v) - 1.0) / (own * own - blurred * blurred));
            sum += weight * texelFetch(before, ivec3(x, y, 0), 0);
            weights += weight;
        }
    radiance = sum / weights;
}
