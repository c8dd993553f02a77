// The rule by which foam forms and fades, for one texel of the foam map; foam/advance.comp explains it.
#include "common/copies.glsl"
#include "common/jacobian.glsl"
#include "common/maps.glsl"
#include "foam/map.glsl"

// Returns the normal distribution function, with a relative error of 1e-5 in the tail too (Abramowitz and Stegun 1964,
// 26.2.16).
float normal(float x) {
    float t = 1.0 / (1.0 + 0.33267 * abs(x));
    float tail = 0.39894228 * exp(-0.5 * x * x) * t * (0.4361836 + t * (0.9372980 * t - 0.1201676));
    return x < 0.0 ? tail : 1.0 - tail;
}

// Returns (Dxx, Dzz, Dxz) of all cascades, times the choppiness, from maps with texels of `texel` metres.
vec3 summed_derivatives(vec2 position, float texel) {
    vec2 slope = vec2(0.0);
    vec3 D = vec3(0.0);
    int c = 0;
    do {
        Copies copies = find_copies(cascades[c], position);
        float lod = clamp(round(log2(texel / cascades[c].side * float(size))), 0.0, float(findMSB(size)));
        do {
            Copy copy = next_copy(cascades[c], copies);
            vec4 moved = textureLod(filtered, vec3(copy.uv, 2 * c), lod);
            add_derivatives(copy, moved, textureLod(filtered, vec3(copy.uv, 2 * c + 1), lod), slope, D);
        } while (copies.left != 0);
    } while (++c < cascade_count && texel < cascades[c].blurred);
    return choppiness * D;
}

// Returns the roller on water that entrains an amount of air: its thickness [m] along the axis a on which D compresses the
// water most, as the vector a (a . foam_roller) times the air. So it runs downwind, and vanishes on a crest along the wind.
vec2 roller(vec3 D, float born) {
    vec2 turned = vec2(D.x - D.y, 2.0 * D.z);  // twice the angle of the other axis
    turned *= inversesqrt(max(dot(turned, turned), 1e-12));
    vec2 mirrored = vec2(dot(turned, foam_roller), turned.y * foam_roller.x - turned.x * foam_roller.y);
    return 0.5 * born * (foam_roller - mirrored);
}

// Returns what a texel of a level holds after a time step, given its position [m] relative to the origin, and what it held
// before.
vec4 advanced(int level, vec2 position, float before) {
    vec4 birth = births[level];
    vec3 D = summed_derivatives(birth.y > 0.0 ? position : position - foam_spilled, birth.x);
    vec2 value, thickness = vec2(0.0);
    if (birth.y > 0.0) {
        vec2 start = vec2(foam_start, foam_breaking) - foam_steepness * (D.x + D.y);
        value = vec2(foam_gain * normal(start.x * inversesqrt(birth.y)), normal(start.y * inversesqrt(birth.y)));
    } else {
        float born = clamp((foam_threshold - jacobian(D)) / foam_width, 0.0, foam_most);
        value = vec2(max(foam_kept * before, foam_gain * born), min(born, 1.0));
        value = value.x > foam_gain * foam_cutoff ? value : vec2(0.0);
        if (value.y > 0.0) thickness = roller(D, born);
    }
    return vec4(value, thickness);
}

// Returns whether a world texel of a level lay in the level's window one time step ago.
bool was_inside(int level, ivec2 world) {
    ivec2 before = world - windows[level].zw;
    return corners[level].w > 0.0 && all(greaterThanEqual(before, ivec2(0))) && all(lessThan(before, ivec2(FOAM_SIZE)));
}
