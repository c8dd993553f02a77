// Patterns of foam by layer, with their squares: 0 walls of bubbles, 1 threads, 2 lumps (ocean/waves/whitecaps.py).
#include "common/bindings.glsl"
layout(binding = SAMPLER_FOAM_PATTERNS) uniform sampler2DArray foam_patterns;
