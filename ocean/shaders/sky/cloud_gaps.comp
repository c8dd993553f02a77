#version 430
// Fills the cloud map between the texels that have been marched, one of four: interpolates, or lists a texel for a ray
// of its own. An invocation has 2 x 2 texels.
#include "common/bindings.glsl"
#include "sky/cloud_list.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = IMAGE_CLOUDS) uniform image2D map;

uniform int margin;     // texels around the picture
uniform ivec2 corner;   // work group with which the dispatch begins
uniform ivec4 part;     // points of the picture that may show sky: left, bottom, right, top

// Clouds are interpolated where the four around a texel differ by at most ALIKE times their mean, or times DARK if the mean is less.
const float ALIKE = 0.1, DARK = 0.3;

shared uint wanted[64 * 3];
shared uint wanted_count, first;

void main() {
    int t = int(gl_LocalInvocationIndex);
    if (t == 0) wanted_count = 0u;
    memoryBarrierShared();
    barrier();
    ivec2 point = 2 * ivec2(gl_GlobalInvocationID.xy) + part.xy + 16 * corner, last = (part.zw - 1) / 2 * 2;
    if (all(lessThan(point, part.zw))) {
        ivec2 next = min(point + 2, last);
        vec4 a = imageLoad(map, point + margin), b = imageLoad(map, ivec2(next.x, point.y) + margin);
        vec4 c = imageLoad(map, ivec2(point.x, next.y) + margin), d = imageLoad(map, next + margin);
        for (int i = 1; i < 4; ++i) {
            ivec2 own = point + ivec2(i & 1, i >> 1);
            vec4 left = a, right = i == 2 ? c : b, over = i == 3 ? c : a, beyond = i == 1 ? b : i == 2 ? c : d;
            vec4 low = min(min(left, right), min(over, beyond)), high = max(max(left, right), max(over, beyond));
            vec4 mean = 0.25 * (left + right + over + beyond);
            if (any(greaterThanEqual(own, part.zw))) continue;
            if (all(lessThanEqual(high - low, ALIKE * max(mean, DARK)))) imageStore(map, own + margin, mean);
            else wanted[atomicAdd(wanted_count, 1u)] = uint(own.x + margin) | uint(own.y + margin) << 16u;
        }
    }
    memoryBarrierShared();
    barrier();
    if (t == 0 && wanted_count > 0u) {
        first = atomicAdd(listed_count, wanted_count);
        atomicMax(groups_y, (first + wanted_count - 1u) / (64u * GROUPS_IN_ROW) + 1u);
    }
    memoryBarrierShared();
    barrier();
    for (uint k = uint(t); k < wanted_count; k += 64u) listed[first + k] = wanted[k];
}
