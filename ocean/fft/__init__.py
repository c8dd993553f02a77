"""Fourier transforms on the GPU: plans for storage there, and functions on numpy arrays. Independent of waves.

`__init__.pyi` lists the names. They load when they are first used, so that `ocean.fft.options` imports without a GPU
library.
"""

from ocean import late_names

__all__, __getattr__ = late_names(__name__, __file__)
