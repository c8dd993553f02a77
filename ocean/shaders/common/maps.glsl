// The displacement and derivative maps, two layers per cascade: (h, Dxz, Dx, Dz) and (hx, hz, Dxx, Dzz).
#include "common/bindings.glsl"

layout(binding = SAMPLER_MAPS) uniform sampler2DArray maps;
layout(binding = SAMPLER_FILTERED) uniform sampler2DArray filtered;  // the maps, or half-float copies of them
