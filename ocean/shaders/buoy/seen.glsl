// The light of samples that show the buoy. Needs surface/seen.glsl.
#include "buoy/mesh.glsl"
#include "buoy/light.glsl"

// Exposed radiance of a triangle of the buoy at a point of the picture [pixels].
vec4 buoy_light(uint triangle, vec2 point) {
    vec3 places[3], normals[3], colours[3];
    vec4 clips[3];
    for (int i = 0; i < 3; ++i) {
        uint vertex = buoy_corner(triangle, i);
        places[i] = buoy_position(vertex);
        normals[i] = buoy_normal(vertex);
        colours[i] = buoy_colour(vertex);
        clips[i] = view_projection * vec4(places[i], 1.0);
    }
    vec3 weights = barycentrics(clips, point).at;
    vec3 relative = mat3(places[0], places[1], places[2]) * weights;
    vec3 normal = mat3(normals[0], normals[1], normals[2]) * weights;
    bool is_front = dot(cross(places[1] - places[0], places[2] - places[0]), eye.xyz - relative) > 0.0;
    return painted(relative, normalize(is_front ? normal : -normal), mat3(colours[0], colours[1], colours[2]) * weights, point);
}
