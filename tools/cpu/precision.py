"""The workload `precision` of the bench: transforms of one line in double precision, checked against a transform with
more digits. It measures no times, so that lines of 2^26 elements take minutes (Rao 2019, section II)."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.fft

from ocean.bench.cases import powers
from ocean.bench.contest import Found, Request, Task
from ocean.bench.rows import BenchError, Row
from ocean.fft.measure import Measurement, errors
from tools.cpu.transforms import Line, by_library, by_polynomial, decimation_in_time, running_products

SIZES = powers(12, 20, 2)
LIMIT = 1e-14  # relative error of transforms with exact roots


def products_limit(size: int) -> float:
    """Return the error limit of running products: each product may add a rounding error of one sign."""
    return float(np.finfo(np.float64).eps) * size


TRANSFORMS: dict[str, tuple[Callable[[Line], Line], Callable[[int], float]]] = {
    "numpy": (np.fft.fft, lambda size: LIMIT),
    "iterative-dit": (lambda x: decimation_in_time(x, inverse=False), lambda size: LIMIT),
    **{
        name: (
            partial(decimation_in_time, inverse=False, roots_of=partial(running_products, turned=turned)),
            products_limit,
        )
        for name, turned in (("running-products", by_library), ("polynomial-products", by_polynomial))
    },
}
"""Transforms by the name of their rows, with their error limits by size."""


def steps(request: Request) -> list[Task]:
    sizes = request.sizes or SIZES
    if odd := next((size for size in sizes if size & (size - 1) or size < 2), None):
        raise BenchError(f"precision takes powers of two, not {odd}")
    return [partial(check, request, size) for size in sizes]


def check(request: Request, size: int) -> Found:
    values = np.random.default_rng(request.seed).standard_normal((size, 2))
    x = values.view(np.complex128)[..., 0]
    expected = scipy.fft.fft(x.astype(np.clongdouble))
    return Found([checked(name, x, expected) for name in TRANSFORMS])


def checked(name: str, x: Line, expected: Any) -> Row:
    transform, limit = TRANSFORMS[name]
    result = Measurement(name, error_limit=limit(len(x)))
    result.set(errors(transform(x), expected, result.error_limit))
    return Row(
        workload="precision",
        name=name,
        kind="cpu",
        dimensions=1,
        size=len(x),
        batch=1,
        storage=x.dtype.name,
        direction="forward",
        workers=1,
        **result.accuracy(),
    )
