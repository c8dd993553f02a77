"""Fourier transforms on the GPU: plans for storage there, and functions on numpy arrays. Independent of waves.

`__init__.pyi` lists the names. They load at their first use, so that `ocean.fft.options` needs no GPU library.
"""

from ocean import late_names

__all__, __getattr__ = late_names(__name__, __file__)
