// The ocean's spectrum at a time, as four complex images one after the other: as in shaders/spectrum/evolve.glsl,
// for a batch of transforms behind it. A thread does one bin, a row of blocks one cascade.

__device__ float2 operator*(float s, float2 a) { return make_float2(s * a.x, s * a.y); }
__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

// `amplitudes` are h0(k), `steps` the loop steps of w(k); the phase wt is an integer mod 2^32. h0(-k) is read where it
// lies, most often from a cache, as shaders/spectrum/amplitudes.glsl does: 12 bytes a bin from memory.
extern "C" __global__ void spectrum(const float2* __restrict__ amplitudes, const unsigned* __restrict__ steps,
                                    float2* __restrict__ out, int size, unsigned ticks, float side, float depth) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, texels = size * size;
    if (i >= texels) return;
    amplitudes += blockIdx.y * texels, steps += blockIdx.y * texels, out += 4 * blockIdx.y * texels;
    float c, s;
    sincosf((float)(int)(steps[i] * ticks) * 1.4629180792671596e-9f, &s, &c);  // 2 pi / 2^32
    int x = i % size, z = i / size;
    float2 here = amplitudes[i];
    float2 there = amplitudes[(z == 0 ? 0 : size - z) * size + (x == 0 ? 0 : size - x)];
    float2 mirror = make_float2(there.x, -there.y), sum = here + mirror, difference = here - mirror;
    float2 H = c * sum + s * make_float2(difference.y, -difference.x), iH = make_float2(-H.y, H.x);
    float kx = (x < size / 2 ? x : x - size) * 6.2831853f / side;
    float kz = (z < size / 2 ? z : z - size) * 6.2831853f / side;
    float length = sqrtf(kx * kx + kz * kz);
    float inverse = length == 0.0f ? 0.0f : 1.0f / (length * tanhf(fminf(length * depth, 20.0f)));
    float Dx = kx * inverse, Dz = kz * inverse;
    if (length == 0.0f) H = iH = make_float2(0.0f, 0.0f);
    out[i] = H - kx * Dz * iH;                           // h + i Dxz
    out[i + texels] = Dx * iH - Dz * H;                  // Dx + i Dz
    out[i + 2 * texels] = kx * iH - kz * H;              // hx + i hz
    out[i + 3 * texels] = -kx * Dx * H - kz * Dz * iH;   // Dxx + i Dzz
}
