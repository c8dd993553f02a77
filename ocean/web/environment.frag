// A level of the environment, the clear sky that water reflects, without the sun's disc [kcd/m²]; (a) is an aureole of
// radiance 1. Level 0 is the sky itself.
#include "sky/clear_sky.glsl"

uniform sampler2DArray previous;  // the previous level alone
uniform int level;

#define PREVIOUS(x, y) texelFetch(previous, ivec3(x, y, 0), 0)
#include "sky/lobes.glsl"

out vec4 radiance;

void main() {
    int side = textureSize(previous, 0).x;
    vec3 axis = normalize(environment_direction(gl_FragCoord.xy / float(2 * side)));
    if (level == 0) radiance = vec4(clear_sky_over_sea(axis), aureole(axis, sun_direction.xyz));
    else radiance = lobe_mean(ivec2(gl_FragCoord.xy), side, level == 1);
}
