#version 430
// Glyphs and shapes of Dear ImGui, from its font atlas, within the rectangle of their draw command.
#include "common/bindings.glsl"

layout(binding = SAMPLER_INTERFACE) uniform sampler2D atlas;

in vec2 uv;
in vec4 colour;
flat in vec4 inside;
out vec4 blended;

void main() {
    vec4 texel = texture(atlas, uv);  // before the discard, after which derivatives are undefined
    if (any(lessThan(gl_FragCoord.xy, inside.xy)) || any(greaterThan(gl_FragCoord.xy, inside.zw))) discard;
    blended = colour * texel;
}
