"""What numpy's arguments mean: the numbers of an array, its lengths, and the scale of a norm."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.lib.array_utils import normalize_axis_index
from numpy.typing import ArrayLike, NDArray

from ocean.fft.contract import FFTError

Norm = Literal["backward", "ortho", "forward"] | None
Options = Mapping[str, Any] | None


def one_length(n: int | None) -> tuple[int, ...] | None:
    """The length of one axis as lengths of several, where -1 would stand for the array's own."""
    if n is not None and n < 1:
        raise FFTError(f"a transform needs at least one element, not {n}")
    return None if n is None else (n,)


def different_axes(axes: Sequence[int], dimensions: int) -> list[int]:
    """The axes counted from the front: one or more, none of them twice."""
    places = [normalize_axis_index(axis, dimensions) for axis in axes]
    if not places or len(set(places)) < len(places):
        raise FFTError(f"expected one axis or more, all different, not {tuple(axes)}")
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


def resized(x: NDArray[Any], s: Sequence[int] | None, axes: Sequence[int]) -> NDArray[Any]:
    """Cropped or padded with zeros to the lengths `s` along `axes`."""
    lengths = [x.shape[axis] for axis in axes] if s is None else list(s)
    if len(lengths) != len(axes):
        raise FFTError(f"there are {len(axes)} axes, but {len(lengths)} lengths")
    for axis, length in zip(axes, lengths, strict=True):
        length = x.shape[axis] if length == -1 else length
        if length < 1:
            raise FFTError(f"a transform needs at least one element, not {length}")
        if length < x.shape[axis]:
            x = np.take(x, range(length), axis)
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
