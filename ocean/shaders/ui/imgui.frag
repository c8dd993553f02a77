#version 430
// Glyphs and shapes of Dear ImGui, from its font atlas.
#include "common/bindings.glsl"

layout(binding = SAMPLER_INTERFACE) uniform sampler2D atlas;

in vec2 uv;
in vec4 colour;
out vec4 blended;

void main() {
    blended = colour * texture(atlas, uv);
}
