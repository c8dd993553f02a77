"""What the tests of transforms share: random numbers, the measure of error, and the least GPU."""

import numpy as np

from ocean.gpu.context import Limits

LEAST = Limits(
    invocations=1024,
    shared_memory=32768,
    groups=65535,
    texture_size=16384,
    texture_layers=2048,
    storage_bytes=1 << 24,
    tessellation=64,
)
"""What OpenGL 4.3 guarantees."""


def noise(*shape, dtype="c8"):
    """Fresh normally distributed numbers of any type, real or complex."""
    rng = np.random.default_rng()
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def relative_error(result, expected):
    """L2, relative."""
    return np.linalg.norm(result - expected) / np.linalg.norm(expected)
