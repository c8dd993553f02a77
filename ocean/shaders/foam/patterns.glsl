// Patterns of foam by layer, with their squares: 0 lumps, 1 walls of bubbles, 2 threads (ocean/waves/whitecaps.py).
#include "common/bindings.glsl"
layout(binding = SAMPLER_FOAM_PATTERNS) uniform sampler2DArray foam_patterns;
