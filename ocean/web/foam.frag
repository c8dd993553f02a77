// A step of one level of the foam map, as foam/advance.comp does it.
#include "foam/birth.glsl"

uniform sampler2DArray past;
uniform int level;

out vec4 foam;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy), local = wrap(texel - windows[level].xy), world = windows[level].xy + local;
    vec2 position = corners[level].xy + (vec2(local) + 0.5) * corners[level].z;
    float before = was_inside(level, world) ? texelFetch(past, ivec3(texel, level), 0).r : 0.0;
    foam = advanced(level, position, before);
}
