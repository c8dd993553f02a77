#version 430
// The same work as busy.comp, in a draw.
#include "common/busy.glsl"

in vec2 uv;
out vec4 colour;

void main() {
    colour = vec4(busy_work(uv.x));
}
