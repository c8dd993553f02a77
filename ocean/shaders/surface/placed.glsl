// Places of the sea where the hardware's raster has drawn the mesh (places.frag), one sample per pixel.
#include "common/view.glsl"
#include "surface/place.glsl"
#include "surface/samples.glsl"
#include "sky/view_ray.glsl"

layout(binding = SAMPLER_PLACES) uniform sampler2D places;

// Returns the place of the sea at the centre of a pixel, and its depth [m]: 0 where no sea is.
Place place_in(vec2 point, out float depth) {
    vec4 at = texelFetch(places, ivec2(point), 0);
    depth = at.z;
    vec3 relative = eye.xyz + depth * view_ray(point, vec2(picture));
    return single_place(at.xy, relative, vec2(at.w, 0.0), vec2(0.0, at.w), 1.0, point);
}
