// The buoy's mesh at its pose.
#include "common/view.glsl"

layout(std140, binding = BLOCK_POSE) uniform Pose { mat4 pose; };
layout(std430, binding = STORAGE_BUOY) readonly buffer Buoy { float buoy_vertices[]; };  // three of each triangle

const int NUMBERS = 9;  // floats in a vertex: position, normal, colour

uint buoy_corner(uint triangle, int corner) { return uint(NUMBERS) * (3u * triangle + uint(corner)); }

vec3 buoy_vector(uint at) { return vec3(buoy_vertices[at], buoy_vertices[at + 1u], buoy_vertices[at + 2u]); }

// Position of a vertex relative to the origin [m].
vec3 buoy_position(uint vertex) {
    vec3 place = (pose * vec4(buoy_vector(vertex), 1.0)).xyz;
    place.y -= dot(place.xz, place.xz) / (2.0 * EARTH_RADIUS);  // the curvature of the earth
    return place;
}

vec3 buoy_normal(uint vertex) { return mat3(pose) * buoy_vector(vertex + 3u); }

vec3 buoy_colour(uint vertex) { return pow(buoy_vector(vertex + 6u), vec3(2.2)); }  // sRGB to linear
