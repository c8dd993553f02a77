// One stage of Stockham's transform (1966), of radix RADIX, along one axis. A fragment gathers its RADIX inputs, so no
// shared memory and no reordering are needed: how GPUs computed transforms before compute shaders.
//
// Before the stage, each run of `span` texels is the transform of every (size / span)-th input. The stage joins RADIX
// of them: output j is the sum over r of input r times e^{+2 pi i r j / (RADIX span)}.
uniform sampler2D displacement, derivatives;  // two complex numbers in each texel
uniform sampler2D roots;                      // e^{+2 pi i n / size}
uniform int size, span;
uniform bool along_rows;

layout(location = 0) out vec4 displacement_after;
layout(location = 1) out vec4 derivatives_after;

// Returns two complex numbers times a third.
vec4 times(vec4 pair, vec2 w) {
    return vec4(pair.x * w.x - pair.y * w.y, pair.x * w.y + pair.y * w.x,
                pair.z * w.x - pair.w * w.y, pair.z * w.y + pair.w * w.x);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int first = along_rows ? texel.x / size * size : 0, j = along_rows ? texel.x - first : texel.y;
    int joined = RADIX * span, from = j / joined * span + j % span, turn = j % joined * (size / joined);
    displacement_after = derivatives_after = vec4(0.0);
    for (int r = 0; r < RADIX; ++r) {
        int input_ = first + from + r * (size / RADIX);
        ivec2 place = along_rows ? ivec2(input_, texel.y) : ivec2(texel.x, input_);
        vec2 w = texelFetch(roots, ivec2(r * turn % size, 0), 0).xy;
        displacement_after += times(texelFetch(displacement, place, 0), w);
        derivatives_after += times(texelFetch(derivatives, place, 0), w);
    }
}
