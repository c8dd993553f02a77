// The cloud map: the picture of an anchored camera, with `margin` texels more on each side. The camera of the view may
// have turned away from it since. Points are positions in the anchored camera's picture [pixels].
const int BLOCK = 8;  // texels along a side of the blocks that are marched together

uniform mat4 ray_to_point, point_to_ray;  // homogeneous coordinates: points end with 1, rays with 0
uniform int margin;

vec2 point_of(vec3 ray) {
    vec4 point = ray_to_point * vec4(ray, 0.0);
    return point.xy / point.w;
}
vec3 ray_of(vec2 point) { return (point_to_ray * vec4(point, 1.0, 1.0)).xyz; }

// Position of the eye in the noise of the clouds, and (a) the exposure: what a block keeps of the frame that marched it.
vec4 cloud_frame() { return vec4(drift.x, eye.y, drift.y, light.meter.x); }

// Height in the layer (0 to 1) at which clouds are taken to be: overhead, where motion is fast, their bases are seen.
const float SEEN_AT = 0.125;

// Distance [m] to that height.
float to_clouds(vec3 direction) { return to_shell(eye.y, direction.y, clouds.y + SEEN_AT * clouds.z); }
