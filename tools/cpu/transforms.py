"""Transforms of one line in numpy, as texts describe them, and one on several threads, for the workload `cpu`.

Each computes the unnormalised sum with the sign of its direction, for a power of two, in the precision of its input.
Roots of unity come from tables in double precision, because the running products of the listings lose digits with every
step.
"""

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Line = NDArray[np.complexfloating[Any]]


@lru_cache(maxsize=64)
def roots(size: int, inverse: bool, dtype: Any) -> Line:
    """Return w^k for k below `size`, with w = e^(-2πi/size), or its conjugate for an inverse."""
    turns = np.arange(size) / size
    found: Line = np.exp((2j if inverse else -2j) * np.pi * turns).astype(dtype)
    return found


@lru_cache(maxsize=32)
def bit_reversed(size: int) -> NDArray[np.intp]:
    """Return the index of each element after a reversal of the bits of its number."""
    places = np.zeros(1, np.intp)
    while len(places) < size:
        places = np.concatenate([2 * places, 2 * places + 1])
    return places


def direct(x: Line, inverse: bool) -> Line:
    """Compute the definition, one output after another, with N² products."""
    size = len(x)
    w, j = roots(size, inverse, x.dtype), np.arange(size)
    return np.array([w[j * k % size] @ x for k in range(size)], x.dtype)


@lru_cache(maxsize=2)
def matrix_of_roots(size: int, inverse: bool, dtype: Any) -> Line:
    """Return the whole matrix of the transform, made once."""
    j = np.arange(size)
    return roots(size, inverse, dtype)[np.outer(j, j) % size]


def recursive(x: Line, inverse: bool) -> Line:
    """Decimate in time by recursion: even and odd elements are each a transform of half the length."""
    size = len(x)
    if size == 1:
        return x
    even, odd = recursive(x[::2], inverse), recursive(x[1::2], inverse)
    odd = odd * roots(size, inverse, x.dtype)[: size // 2]
    return np.concatenate([even + odd, even - odd])


def by_library(angle: float) -> complex:
    return complex(np.exp(1j * angle))


def by_polynomial(angle: float) -> complex:
    """Return the sum of the first 28 terms of the exponential series, exact to rounding up to half a period."""
    found = 1 + 0j
    for n in range(27, 0, -1):
        found = 1 + 1j * angle / n * found
    return found


def running_products(size: int, inverse: bool, dtype: Any, turned: Callable[[float], complex] = by_library) -> Line:
    """Return roots as Rao's listing 1 computes them: each is the previous root times the first. Errors grow with every
    product."""
    first = turned((2 if inverse else -2) * np.pi / size)
    found: Line = np.multiply.accumulate(np.concatenate([[1.0], np.full(size - 1, first)])).astype(dtype)
    return found


def decimation_in_time(x: Line, inverse: bool, roots_of: Callable[[int, bool, Any], Line] = roots) -> Line:
    """Run the iterative algorithm of Cooley and Tukey: bits reversed first, then growing spans."""
    y = x[bit_reversed(len(x))]
    half = 1
    while half < len(x):
        blocks = y.reshape(-1, 2 * half)
        turned = blocks[:, half:] * roots_of(2 * half, inverse, x.dtype)[:half]
        blocks[:, half:] = blocks[:, :half] - turned
        blocks[:, :half] += turned
        half *= 2
    return y


def decimation_in_frequency(x: Line, inverse: bool) -> Line:
    """Run the iterative algorithm of Gentleman and Sande: shrinking spans, and bits reversed last."""
    y = x.copy()
    half = len(x) // 2
    while half:
        blocks = y.reshape(-1, 2 * half)
        lower = (blocks[:, :half] - blocks[:, half:]) * roots(2 * half, inverse, x.dtype)[:half]
        blocks[:, :half] += blocks[:, half:]
        blocks[:, half:] = lower
        half //= 2
    return y[bit_reversed(len(x))]


OWN: dict[str, Callable[[Line, bool], Line]] = {
    "direct": direct,
    "recursive": recursive,
    "iterative-dit": decimation_in_time,
    "iterative-dif": decimation_in_frequency,
}
"""Transforms by the name of their rows."""


@lru_cache(maxsize=4)
def grid_roots(height: int, width: int, inverse: bool, dtype: Any) -> Line:
    """Return w^(jk) for j below `height` and k below `width`, with w for a line of height times width elements."""
    turns = np.outer(np.arange(height), np.arange(width)) / (height * width)
    found: Line = np.exp((2j if inverse else -2j) * np.pi * turns).astype(dtype)
    return found


class FourStep:
    """Transform of a line as a grid: it transforms columns, multiplies by roots, and transforms rows, which it stores
    as columns (Govindaraju et al. 2008, section IV.C). Threads share each step, because numpy's transforms release
    Python's lock."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads)

    def __call__(self, x: Line, inverse: bool) -> Line:
        size = len(x)
        height = 1 << (size.bit_length() - 1) // 2
        width = size // height
        grid, w = x.reshape(height, width), grid_roots(height, width, inverse, x.dtype)
        between, result = np.empty_like(grid), np.empty((width, height), x.dtype)

        def columns(part: slice) -> None:
            between[:, part] = lines(grid[:, part], 0, inverse) * w[:, part]

        def rows(part: slice) -> None:
            result[:, part] = lines(between[part], 1, inverse).T

        self._share(columns, width)
        self._share(rows, height)
        return result.reshape(size)

    def _share(self, work: Callable[[slice], None], count: int) -> None:
        ends = [count * i // self.threads for i in range(self.threads + 1)]
        parts: Iterable[slice] = (slice(a, b) for a, b in pairwise(ends) if b > a)
        for _ in self._pool.map(work, parts):
            pass

    def release(self) -> None:
        self._pool.shutdown()


def lines(x: Line, axis: int, inverse: bool) -> Line:
    return np.fft.ifft(x, axis=axis, norm="forward") if inverse else np.fft.fft(x, axis=axis)


SOURCE = Path(__file__).with_name("loops.c")
FLAGS = ("-O3", "-march=native", "-fcx-limited-range", "-fopenmp", "-shared", "-fPIC")


class NoCompilerError(RuntimeError):
    """The loops can't be compiled; the message says why."""


@cache
def library() -> ctypes.CDLL:
    """Return the compiled loops.

    Raises:
        NoCompilerError: when there is no C compiler with OpenMP.
    """
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        raise NoCompilerError("there is no C compiler: install gcc")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "loops.so"
        done = subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(path)], capture_output=True, text=True)
        if done.returncode:
            raise NoCompilerError(f"{compiler} can't compile OpenMP: {done.stderr.strip().splitlines()[-1]}")
        return ctypes.CDLL(str(path))


class GroupLoops:
    """Transform of a line of a power of two; threads share groups of butterflies, and with `inner` also the butterflies
    of a group if there are few groups."""

    def __init__(self, threads: int, inner: bool = False) -> None:
        self.threads, self.inner = threads, inner
        self._library = library()

    def __call__(self, x: Line, inverse: bool) -> Line:
        return in_c(self._library, "transform", x, inverse, self.threads, int(self.inner))


def in_c(loops: ctypes.CDLL, name: str, x: Line, inverse: bool, *values: int) -> Line:
    """Run a function of `loops.c`."""
    run: Any = getattr(loops, f"{name}_{'double' if x.dtype == np.complex128 else 'single'}")
    x = np.ascontiguousarray(x)
    y, w = np.empty_like(x), (matrix_of_roots if name == "matrix" else roots)(len(x), inverse, x.dtype)
    run(*(ctypes.c_void_p(one.ctypes.data) for one in (x, y, w)), len(x).bit_length() - 1, *values)
    return y


IN_C = ("direct", "matrix", "recursive", "iterative-dit", "iterative-dif")
"""Transforms of Mota's section 2.2.1 and table 2 in C, with rows named `direct-c` and so on."""
