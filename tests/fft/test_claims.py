"""Sizes that the backends claim to transform, against lists written here. No size has an obstacle on the smallest GPU
that OpenGL 4.3 allows, and each result is right."""

import numpy as np
import pytest

from ocean import fft
from ocean.gpu.shaders import shader_library

from .samples import BEYOND, LEAST, SMOOTH, noise, relative_error

POWERS = (16, 32, 64, 128, 256, 512)
CLAIMED = {
    **dict.fromkeys(fft.BACKENDS, POWERS),
    "stockham-registers": SMOOTH,
    "stockham-global": SMOOTH,
    "four-step": [2**a for a in range(1, 14)],
    "dft": range(2, 513),
    "bluestein": range(1, 2049),
    "auto": range(1, 2049),
}
FEW = {  # for every run of the tests: cheap to compile; test_backends.py has powers of two
    "stockham-registers": (6, 49, 375),
    "stockham-global": (6, 143),
    "four-step": (2, 8192),
    "dft": (2, 251),
    "bluestein": (1, 509),
    "auto": (1, BEYOND, 720, 2039),
}
SAMPLES = [(backend, size) for backend, sizes in FEW.items() for size in sizes]
WHOLE = [(backend, tuple(sizes[i : i + 64])) for backend, sizes in CLAIMED.items() for i in range(0, len(sizes), 64)]


def check_lines(ctx, backend, size, axis):
    """Check a few rows in buffers, or columns in images, in both directions."""
    fields = fft.FieldBuffers(ctx, (3, size), 1) if axis == fft.ROWS else fft.FieldLayers(ctx, (size, 3), 1)
    x = noise(2, fields.height, fields.width)
    plan = fft.plan(ctx, backend, fields, axes=(axis,))
    limit = fft.BACKENDS[backend].error_limit(size, fft.BACKENDS[backend].Options())
    for run, twin, norm in ((plan.forward, np.fft.fft, "backward"), (plan.inverse, np.fft.ifft, "forward")):
        fields.write(x)
        run()
        assert relative_error(fields.read(), twin(x.astype("c16"), axis=-1 - axis, norm=norm)) < limit
    plan.release()
    fields.release()


def test_every_backend_claims_the_common_sizes():
    assert all(set(POWERS) <= set(sizes) for sizes in CLAIMED.values())
    assert all(set(sizes) <= set(CLAIMED[backend]) for backend, sizes in FEW.items())


@pytest.mark.parametrize("backend", CLAIMED)
def test_the_smallest_gpu_runs_every_claimed_size(backend):
    transform = fft.BACKENDS[backend]
    obstacles = {size: transform.obstacle(LEAST, size, transform.Options()) for size in CLAIMED[backend]}
    assert {size: reason for size, reason in obstacles.items() if reason} == {}


@pytest.mark.parametrize(("backend", "size"), SAMPLES)
def test_some_claimed_sizes_are_right(ctx, backend, size):
    check_lines(ctx, backend, size, size // 2 % 2)  # rows and columns in turn


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "sizes"), [case for case in WHOLE if case[0] != "auto"], ids=lambda value: str(value).split(",")[0]
)
def test_every_claimed_size_is_right(ctx, backend, sizes):
    for size in sizes:
        check_lines(ctx, backend, size, size // 2 % 2)
    shader_library(ctx).release()  # thousands of programs that no later test uses
