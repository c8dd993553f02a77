// Sums of the heights' squares over a part of the maps of all cascades, from which the page measures its Hs.
#include "common/maps.glsl"
uniform int count, part;  // cascades; texels along a side of a part

out vec4 sum;

void main() {
    ivec2 corner = ivec2(gl_FragCoord.xy) * part;
    sum = vec4(0.0);
    for (int c = 0; c < count; ++c)
        for (int y = 0; y < part; ++y)
            for (int x = 0; x < part; ++x) {
                float height = texelFetch(maps, ivec3(corner + ivec2(x, y), 2 * c), 0).x;
                sum.x += height * height;
            }
}
