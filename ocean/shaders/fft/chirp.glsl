// The chirp of Bluestein's transform and what a convolution with it multiplies by.

layout(std430, binding = STORAGE_CHIRP) readonly buffer Chirp {
    Root chirp[SAMPLES];  // e^{pi i j^2 / SAMPLES}; direction -1 has the conjugates of both
    Root spectrum[SIZE];  // the transform of its conjugate, over SIZE
};
