// What the pixels show where the hardware's raster has drawn the mesh, one sample per pixel: places of places.frag, and
// triangles of the buoy among the samples. list.comp lists these pixels, shade.comp computes their light.
#include "common/view.glsl"
#include "surface/record.glsl"

layout(binding = SAMPLER_PLACES) uniform sampler2D places;
layout(std430, binding = STORAGE_RECORDS) buffer Listed { uvec2 listed[]; };  // column and row of a pixel, and its number

// Returns the place of the sea in a pixel.
Place place_in(ivec2 pixel) {
    vec4 at = texelFetch(places, pixel, 0);
    vec2 point = vec2(pixel) + 0.5;
    vec3 away = at.z * normalize((clip_to_ray * vec4(2.0 * point / vec2(picture) - 1.0, 1.0, 1.0)).xyz);
    return single_place(at.xy, eye.xyz + away, vec2(at.w, 0.0), vec2(0.0, at.w), 1.0, point);
}
