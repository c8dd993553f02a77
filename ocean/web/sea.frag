// The displayed sea: the program's own shading, tone curve and dither for the fragment of a triangle.
#include "surface/light.glsl"
#include "post/colours.glsl"

in vec2 still;
in vec3 relative;
in float spacing;

out vec4 colour;

void main() {
    vec2 dx = dFdx(still), dy = dFdy(still);
    vec3 to_right = dFdx(relative), up = dFdy(relative), face = cross(up, to_right);
    if (face.y < 0.0) face = -face;
    float strain = mesh_strain(mat2(dx, dy), mat2(to_right.xz, up.xz));
    vec2 slope = -face.xz / max(face.y, 1e-9);
    vec4 light = sea_light(
        VisibilitySample(still, relative, dx, dy, spacing, slope, vec3(0.0), 1.0, strain, gl_FragCoord.xy));
    colour = vec4(displayed(light.rgb) + (noise(gl_FragCoord.xy) - 0.5) / 255.0, 1.0);
}
