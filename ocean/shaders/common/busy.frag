#version 430
// Keeps the GPU busy in a draw, with the work of busy.comp.
#include "common/busy.glsl"

in vec2 uv;
out vec4 colour;

void main() {
    colour = vec4(busy_work(uv.x));
}
