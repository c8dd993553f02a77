"""An FFT of your own data, on the GPU or by numpy.

python -m pip install -e .        once, in the checkout
python examples/own_fft.py [BACKEND]
"""

import argparse

import moderngl
import numpy as np

from ocean import fft

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("backend", nargs="?", default="auto")
backend = parser.parse_args().backend
ctx = None if backend == "numpy" else moderngl.create_context(standalone=True, require=430, backend="egl")

rows, columns = 240, 360  # any length
x = np.arange(columns) / columns
picture = np.sin(2 * np.pi * 12 * x) + np.random.default_rng(1).normal(size=(rows, columns))
spectrum = fft.rfft2(ctx, picture.astype("f4"), backend)  # complex64 (240, 181), as numpy.fft.rfft2
strongest = np.unravel_index(np.argmax(np.abs(spectrum)), spectrum.shape)
print(f"strongest wave: {strongest[0]} down, {strongest[1]} across")

spectrum[np.abs(spectrum) < np.abs(spectrum).max() / 10] = 0
clean = fft.irfft2(ctx, spectrum, backend, s=picture.shape)
print(f"noise left: {np.std(clean - np.sin(2 * np.pi * 12 * x)):.3f} of {np.std(picture - clean):.3f}")
