"""What numpy's arguments mean: the numbers of an array, its lengths, and the scale of a norm."""

import operator
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.lib.array_utils import normalize_axis_index
from numpy.typing import ArrayLike, NDArray

from ocean.fft.contract import FFTError

Norm = Literal["backward", "ortho", "forward"] | None
Options = Mapping[str, Any] | None
Lengths = Sequence[int] | None
Axes = Sequence[int] | None


def whole_number(value: Any, name: str) -> int:
    """An integer of any type."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}") from None


def whole_numbers(values: Any, name: str) -> list[int]:
    """Integers of any type, in a sequence."""
    try:
        return [operator.index(value) for value in values]
    except TypeError:
        raise TypeError(f"{name} are whole numbers in a sequence, not {values!r}") from None


def one_length(n: int | None) -> tuple[int, ...] | None:
    """The length of one axis as lengths of several, where -1 would stand for the array's own."""
    if n is not None and whole_number(n, "a length") < 1:
        raise FFTError(f"a transform needs at least one element, not {n}")
    return None if n is None else (n,)


def axes_of(axes: Axes, x: NDArray[Any], s: Lengths = None) -> list[int]:
    """The axes counted from the front; None are all of them, or the last ones where there are lengths."""
    if axes is None:
        axes = range(-(x.ndim if s is None else len(s)), 0)
    return [normalize_axis_index(axis, x.ndim) for axis in whole_numbers(axes, "axes")]


def different_axes(axes: Axes, x: NDArray[Any], s: Lengths = None) -> list[int]:
    """The same, one or more, none of them twice."""
    places = axes_of(axes, x, s)
    if not places or len(set(places)) < len(places):
        raise FFTError(f"expected one axis or more, all different, not {tuple(places)}")
    return places


def numbers(x: ArrayLike) -> NDArray[Any]:
    """An array of floating point numbers, real or complex, of the precision that numpy would transform it in."""
    array = np.asarray(x)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"expected numbers, not {array.dtype}")
    if array.dtype.itemsize > 8 * (1 + (array.dtype.kind == "c")):
        raise FFTError(f"no GPU computes in {array.dtype}; float64 is the most")
    single = array.dtype.type in (np.float16, np.float32, np.complex64)  # of any byte order
    kinds = (np.complex64, np.complex128) if array.dtype.kind == "c" else (np.float32, np.float64)
    return array.astype(kinds[0] if single else kinds[1], copy=False)


def resized(x: NDArray[Any], s: Lengths, axes: Sequence[int]) -> NDArray[Any]:
    """Cropped or padded with zeros to the lengths `s` along `axes`."""
    lengths = [x.shape[axis] for axis in axes] if s is None else whole_numbers(s, "lengths")
    if len(lengths) != len(axes):
        raise FFTError(f"there are {len(axes)} axes, but {len(lengths)} lengths")
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
    """The factor of a transform of `count` elements."""
    if norm not in ("backward", "ortho", "forward", None):
        raise FFTError(f"norm {norm!r} is not one of backward, ortho, forward")
    if norm == "ortho":
        return 1 / sqrt(count)
    return 1 / count if inverse == (norm != "forward") else 1.0
