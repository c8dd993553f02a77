// The clear sky with the sun's disc, over the whole picture; the sea is drawn over it.
#include "sky/radiance.glsl"
#include "sky/view_ray.glsl"
#include "common/noise.glsl"
#include "post/colours.glsl"

uniform vec2 picture;  // pixels

out vec4 colour;

void main() {
    vec3 direction = normalize(view_ray(gl_FragCoord.xy, picture));
    float off = length(cross(direction, sun.xyz)), edge = sqrt(1.0 - sun.w * sun.w);  // sines of angles from the centre
    float disc = dot(direction, sun.xyz) > 0.0 ? clamp(0.5 + (edge - off) / max(fwidth(off), 1e-6), 0.0, 1.0) : 0.0;
    vec4 light = exposed(clear_sky_over_sea(direction) + disc / (2.0 * PI * (1.0 - sun.w)) * sun_irradiance());
    colour = vec4(displayed(light.rgb) + (noise(gl_FragCoord.xy) - 0.5) / 255.0, 1.0);
}
