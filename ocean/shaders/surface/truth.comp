#version 430
// Writes what each pixel shows at its centre, from a visibility buffer with one sample per pixel: the displaced position
// and the number of the object, and the rest position of the water or the normal of the buoy.
#define HIDES 0  // no slopes of triangles
#include "surface/seen.glsl"
#if BUOY
#include "buoy/mesh.glsl"
#endif

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = IMAGE_HDR) writeonly uniform image2D places;   // relative position [m], object
layout(rgba32f, binding = IMAGE_PICTURE) writeonly uniform image2D rests;  // rest position [m], or normal

const float SEA = 1.0, BUOY_ = 2.0;  // as in ocean/render/truth.py

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, picture))) return;
    Strip strip = strips[strip_at(float(pixel.y))];
    if (pixel.y < strip.bottom || pixel.y >= strip.top) return;
    uint number = seen[sample_at(strip, pixel - ivec2(0, strip.bottom))].x;
    if (number == NOTHING) return;
    vec2 centre = vec2(pixel) + 0.5;
    vec3 relative, rest;
    float object = SEA;
#if BUOY
    if (number >= BUOY_TRIANGLES) {
        vec3 corners[3], normals[3];
        vec4 clips[3];
        for (int i = 0; i < 3; ++i) {
            uint vertex = buoy_corner(number - BUOY_TRIANGLES, i);
            corners[i] = buoy_position(vertex);
            normals[i] = buoy_normal(vertex);
            clips[i] = view_projection * vec4(corners[i], 1.0);
        }
        vec3 weights = barycentrics(clips, centre).at;
        relative = mat3(corners[0], corners[1], corners[2]) * weights;
        rest = normalize(mat3(normals[0], normals[1], normals[2]) * weights);
        if (dot(cross(corners[1] - corners[0], corners[2] - corners[0]), eye.xyz - relative) < 0.0) rest = -rest;
        object = BUOY_;
    } else
#endif
    {
        VisibilitySample visible = visibility_sample(find_triangle(number), centre, vec2(1.0));
        relative = visible.relative;
        rest = vec3(visible.still, 0.0);
    }
    imageStore(places, pixel, vec4(relative, object));
    imageStore(rests, pixel, vec4(rest, 0.0));
}
