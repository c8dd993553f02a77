#version 430
// Computes the light of the places that the hardware's raster has drawn, one sample per pixel (deferred shading:
// Deering et al. 1988). The depth test limits it to the sea, because software renderers run all branches of a shader.
#include "surface/place.glsl"
#include "surface/light.glsl"

layout(binding = SAMPLER_PLACES) uniform sampler2D places;

in vec2 uv;
out vec4 colour;

void main() {
    vec4 at = texelFetch(places, ivec2(gl_FragCoord.xy), 0);
    vec3 relative = eye.xyz + at.z * normalize((clip_to_ray * vec4(2.0 * uv - 1.0, 1.0, 1.0)).xyz);
    vec2 dx = vec2(at.w, 0.0), dy = dx.yx;
    colour = sea_light(Place(at.xy, relative, dx, dy, 1.0, vec2(0.0), vec3(0.0), 1.0, 0.0, gl_FragCoord.xy));
}
