#version 430
// One triangle that covers the screen, without a vertex buffer. `uv` runs from 0 to 1, bottom left to top right.

out vec2 uv;

void main() {
    uv = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(2.0 * uv - 1.0, 1.0, 1.0);
}
