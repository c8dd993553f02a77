// sRGB encoding of linear light, 0 to 1 (IEC 61966-2-1).
vec3 srgb(vec3 linear) {
    return mix(12.92 * linear, 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, greaterThan(linear, vec3(0.0031308)));
}
