// The clear sky that water reflects, without the sun's disc [kcd/m²]; (a) is an aureole of radiance 1.
#include "sky/clear_sky.glsl"
#include "sky/environment.glsl"

uniform float side;  // texels along a side

out vec4 radiance;

void main() {
    vec3 direction = normalize(environment_direction(gl_FragCoord.xy / side));
    radiance = vec4(clear_sky_over_sea(direction), aureole(direction, sun_direction.xyz));
}
