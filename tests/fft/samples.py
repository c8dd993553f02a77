"""Shared parts of the tests of transforms: random numbers, the measure of error, samples of cases, and the limits of
the smallest GPU."""

import math
from typing import get_args

import numpy as np
import pytest

from ocean import fft
from ocean.fft.registers import ODD_RADICES
from ocean.gpu.context import Limits

EVEN_RADICES = (2, 4, 8, 16)
"""The even radices that the mixed-radix kernels take."""

PRIMES = ", ".join(str(prime) for prime in (2, *sorted(ODD_RADICES)[:-1])) + f" and {max(ODD_RADICES)}"
"""Primes that the mixed-radix kernels take, as error messages name them."""

BEYOND = next(n for n in range(max(ODD_RADICES) + 2, 1021, 2) if all(n % d for d in range(3, n, 2)))
"""The first prime that has no butterfly."""

_TOO_LARGE = [p for p in range(BEYOND, 1025) if all(p % d for d in range(2, math.isqrt(p) + 1))]
SMOOTH = [n for n in range(2, 1025) if all(n % p for p in _TOO_LARGE)]
"""Sizes up to 1024 whose prime factors all have a butterfly."""

LEAST = Limits(
    invocations=1024,
    shared_memory=32768,
    groups=65535,
    texture_size=16384,
    texture_layers=2048,
    storage_bytes=1 << 24,
    uniform_bytes=1 << 14,
    loop=1 << 15,
)
"""Limits that OpenGL 4.3 guarantees."""


def noise(*shape, dtype="c8"):
    """Return fresh normally distributed numbers of any type, real or complex."""
    rng = np.random.default_rng()
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def relative_error(result, expected):
    """Return the relative error in the L2 norm."""
    return np.linalg.norm(result - expected) / np.linalg.norm(expected)


def few(cases):
    """Return cases for `parametrize` that take long to compile. Every run of the tests takes a fifth of them."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=[pytest.mark.slow] if i % 5 else [])
        for i, case in enumerate(cases)
    ]


def every_value(backend):
    """Return each non-default value of each option, with the other options at their defaults."""
    fields = fft.BACKENDS[backend].Options.model_fields.items()
    return [{name: value} for name, field in fields for value in get_args(field.annotation) if value != field.default]
