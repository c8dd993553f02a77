// View ray through a point of a picture of this size [pixels]: linear over the picture, not of unit length.
vec3 view_ray(vec2 point, vec2 size) { return (clip_to_ray * vec4(2.0 * point / size - 1.0, 1.0, 1.0)).xyz; }
