"""The meaning of numpy's arguments: the numbers of an array, its lengths and axes, and the scale of a norm."""

import operator
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.lib.array_utils import normalize_axis_index
from numpy.typing import ArrayLike, NDArray

from ocean.common.parameters import not_one_of
from ocean.fft.contract import FFTError

Norm = Literal["backward", "ortho", "forward"] | None
Options = Mapping[str, Any] | None
Lengths = Sequence[int] | None
Axes = Sequence[int] | None


def whole_number(value: Any, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {value!r}") from None


def whole_numbers(values: Any, name: str) -> list[int]:
    try:
        return [operator.index(value) for value in values]
    except TypeError:
        raise TypeError(f"{name} must be a sequence of integers, not {values!r}") from None


def one_length(n: int | None) -> tuple[int, ...] | None:
    """Return the length of one axis as a sequence, in which -1 would mean the array's own length."""
    if n is not None and whole_number(n, "a length") < 1:
        raise FFTError(f"a transform needs at least one element, not {n}")
    return None if n is None else (n,)


def axes_of(axes: Axes, x: NDArray[Any], s: Lengths = None) -> list[int]:
    """Return the axes counted from the front. None means all axes, or the last `len(s)` axes."""
    if axes is None:
        axes = range(-(x.ndim if s is None else len(s)), 0)
    return [normalize_axis_index(axis, x.ndim) for axis in whole_numbers(axes, "axes")]


def different_axes(axes: Axes, x: NDArray[Any], s: Lengths = None) -> list[int]:
    """Return the axes counted from the front: at least one, and no axis twice."""
    places = axes_of(axes, x, s)
    if not places or len(set(places)) < len(places):
        raise FFTError(f"expected one or more different axes, not {tuple(places)}")
    return places


def numbers(x: ArrayLike) -> NDArray[Any]:
    """Return an array of real or complex floating-point numbers in the precision in which numpy would transform it."""
    array = np.asarray(x)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"expected numbers, not {array.dtype}")
    if array.dtype.itemsize > 8 * (1 + (array.dtype.kind == "c")):
        raise FFTError(f"no GPU computes in {array.dtype}; use float64 or less")
    single = array.dtype.type in (np.float16, np.float32, np.complex64)  # in any byte order
    kinds = (np.complex64, np.complex128) if array.dtype.kind == "c" else (np.float32, np.float64)
    return array.astype(kinds[0] if single else kinds[1], copy=False)


def resized(x: NDArray[Any], s: Lengths, axes: Sequence[int]) -> NDArray[Any]:
    """Crop the array, or pad it with zeros, to the lengths `s` along `axes`."""
    lengths = [x.shape[axis] for axis in axes] if s is None else whole_numbers(s, "lengths")
    if len(lengths) != len(axes):
        raise FFTError(f"expected a length for each of the {len(axes)} axes, not {len(lengths)} lengths")
    for axis, length in zip(axes, lengths, strict=True):
        length = x.shape[axis] if length == -1 else length
        if length < 1:
            raise FFTError(f"a transform needs at least one element, not {length}")
        if length < x.shape[axis]:
            x = x[(slice(None),) * axis + (slice(length),)]
        elif length > x.shape[axis]:
            x = np.pad(x, [(0, length - x.shape[axis] if one == axis else 0) for one in range(x.ndim)])
    return x


def norm_scale(norm: Norm, count: int, inverse: bool) -> float:
    """Return the factor of a transform of `count` elements."""
    if norm not in (names := ("backward", "ortho", "forward")) and norm is not None:
        raise FFTError(not_one_of("norm", norm, names))
    if norm == "ortho":
        return 1 / sqrt(count)
    return 1 / count if inverse == (norm != "forward") else 1.0
