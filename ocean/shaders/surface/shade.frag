#version 430
// The light of the places that the hardware's raster has drawn, with one sample a pixel (deferred shading: Deering et al. 1988). It is
// drawn where depth says that there are some: software renderers go through all branches of what they draw.
#include "surface/place.glsl"
#include "surface/light.glsl"

layout(binding = SAMPLER_PLACES) uniform sampler2D places;

in vec2 uv;
out vec4 colour;

void main() {
    vec4 at = texelFetch(places, ivec2(gl_FragCoord.xy), 0);
    vec3 relative = eye.xyz + at.z * normalize((clip_to_ray * vec4(2.0 * uv - 1.0, 1.0, 1.0)).xyz);
    colour = sea_light(Place(at.xy, relative, vec2(at.w, 0.0), vec2(0.0, at.w), 1.0, vec2(0.0), vec3(0.0), 1.0, 0.0, gl_FragCoord.xy));
}
