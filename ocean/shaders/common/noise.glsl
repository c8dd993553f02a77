// Returns interleaved gradient noise in [0, 1) (Jimenez 2014).
float noise(vec2 pixel) {
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}
