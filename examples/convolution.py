"""`ocean.fft` without the ocean: a plan that stays on the GPU, and functions on numpy arrays.

python -m pip install numpy moderngl pydantic && python -m pip install --no-deps -e .
python examples/convolution.py [SIZE]
"""

import argparse

import moderngl
import numpy as np

from ocean import fft

SPECTRUM = """
#version 430
layout(local_size_x = 8, local_size_y = 8) in;
layout(rg32f, binding = 0) uniform image2DArray fields;  // one complex number per texel
uniform int size;
void main() {
    ivec2 k = ivec2(gl_GlobalInvocationID.xy);
    vec2 wave = vec2(k - size * ivec2(greaterThan(k, ivec2(size / 2))));
    vec4 value = imageLoad(fields, ivec3(k, 0));
    imageStore(fields, ivec3(k, 0), value * exp(-0.002 * dot(wave, wave)));
}
"""


def smoothed(ctx: moderngl.Context, picture: np.ndarray) -> np.ndarray:
    """Return a square picture, blurred: two transforms and a filter between them, in one storage on the GPU."""
    size = len(picture)
    layers = fft.FieldLayers(ctx, size, layers=1, packed=1)
    forward = fft.plan(ctx, "auto", layers)
    inverse = fft.plan(ctx, "auto", layers, scale=1 / size**2)
    spectrum = ctx.compute_shader(SPECTRUM)
    spectrum["size"] = size
    layers.write(picture[None].astype("c8"))
    forward.forward()
    layers.front.bind_to_image(0, read=True, write=True)
    spectrum.run(-(-size // 8), -(-size // 8))
    ctx.memory_barrier(moderngl.Context.SHADER_IMAGE_ACCESS_BARRIER_BIT)
    inverse.inverse()
    result = layers.read()[0].real
    for made in (forward, inverse, layers, spectrum):
        made.release()
    return result


def main(size: int) -> None:
    ctx = moderngl.create_context(standalone=True, require=430, backend="egl")  # on Windows no backend
    picture = np.random.default_rng(1).standard_normal((size, size))
    k = np.fft.fftfreq(size, 1 / size)
    expected = np.fft.ifft2(np.fft.fft2(picture) * np.exp(-0.002 * (k**2 + k[:, None] ** 2))).real
    error = np.abs(smoothed(ctx, picture) - expected).max()
    print(f"a convolution of {size} x {size} {'agrees' if error < 1e-5 else 'differs'} with numpy, to {error:.1e}")

    volume = np.random.default_rng(2).standard_normal((6, 10, 15))  # any lengths; float64 in double precision
    error = np.abs(fft.rfftn(ctx, volume) - np.fft.rfftn(volume)).max()
    print(f"rfftn of {volume.shape}: to {error:.1e}")
    line = np.random.default_rng(3).standard_normal(48).astype("f4")
    error = np.abs(fft.idct(ctx, fft.dct(ctx, line, type=4), type=4) - line).max()
    print(f"dct and idct of type 4: to {error:.1e}")
    fft.clear_kernels(ctx)
    ctx.release()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("size", nargs="?", type=int, default=128)
    main(parser.parse_args().size)
