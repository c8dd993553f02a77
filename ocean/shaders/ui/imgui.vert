#version 430
// Dear ImGui's vertices: pixels from the top left corner, texture coordinates, and a colour that is already encoded.
uniform vec2 pixels;  // size of the display, in ImGui's units

layout(location = 0) in vec2 position;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 tint;
layout(location = 3) in vec4 clip;  // of the draw command: left, bottom, right, top [pixels]

out vec2 uv;
out vec4 colour;
flat out vec4 inside;

void main() {
    uv = texel;
    colour = tint;
    inside = clip;
    gl_Position = vec4(2.0 * position.x / pixels.x - 1.0, 1.0 - 2.0 * position.y / pixels.y, 0.0, 1.0);
}
