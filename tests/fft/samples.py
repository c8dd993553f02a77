"""Shared parts of the tests of transforms: random numbers, the comparison with numpy in float64, samples of cases, and
the limits of the smallest GPU."""

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


def images(ctx, *shape, layers=1, packed=2):
    """Return images of shape (size,) or (height, width)."""
    return fft.FieldLayers(ctx, shape if len(shape) == 2 else shape[0], layers, packed)


def buffers(ctx, *shape, layers=1, packed=2, double=False):
    """Return buffers of shape (size,) or (height, width)."""
    return fft.FieldBuffers(ctx, shape if len(shape) == 2 else shape[0], layers, packed, double)


def check(ctx, backend, fields, options=None, axes=(fft.ROWS, fft.COLUMNS), scale=0.5):
    """Compare transforms of noise in both directions with numpy's in float64, to the accuracy that a backend promises.
    Release the storage, and return the released plan."""
    chosen = fft.validated_options(backend, options)
    lengths = [fields.length(axis) for axis in axes]
    limit = max(fft.BACKENDS[backend].error_limit(length, chosen, fields.double) for length in lengths)
    x = noise(fields.packed * fields.layers, fields.height, fields.width, dtype=fields.dtype)
    exact, where = x.astype("c16"), [-1 - axis for axis in axes]
    plan = None
    try:
        plan = fft.plan(ctx, backend, fields, chosen, scale, axes)
        fields.write(x)
        plan.forward()
        assert relative_error(fields.read(), scale * np.fft.fftn(exact, axes=where)) < limit
        fields.write(x)
        plan.inverse()
        assert relative_error(fields.read(), scale * np.fft.ifftn(exact, axes=where, norm="forward")) < limit
    finally:
        if plan:
            plan.release()
        fields.release()
    return plan


def check_rows(ctx, backend, size, options=None, lines=3):
    """Check a few rows in a buffer."""
    return check(ctx, backend, buffers(ctx, lines, size), options, (fft.ROWS,))
