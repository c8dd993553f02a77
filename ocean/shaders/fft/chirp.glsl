// The chirp of Bluestein's transform, and the transform of the convolution kernel.

layout(std430, binding = STORAGE_CHIRP) readonly buffer Chirp {
    Root chirp[SAMPLES];  // e^{pi i j^2 / SAMPLES}; direction -1 uses the conjugates of both arrays
    Root spectrum[SIZE];  // transform of the conjugate chirp, divided by SIZE
};
