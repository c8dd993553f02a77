"""Discrete cosine transforms of types 2 and 3, with the names, shapes and scales of scipy.fft.

They are real transforms of the reordered line (Makhoul, "A fast cosine transform in one and two dimensions", 1980).
"""

from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.fft.arguments import Norm, Options, different_axes, norm_scale, numbers, one_length, resized
from ocean.fft.contract import FFTError
from ocean.fft.real import irfft, rfft, roots


def dct(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    options: Options = None,
) -> NDArray[Any]:
    """y[k] = 2 sum_j x[j] cos(pi k (2 j + 1) / (2 n)) along one axis (type 2), or its inverse times 2 n (type 3); as
    scipy.fft.dct."""
    return _cosine(ctx, x, backend, norm, type, n, axis, options, inverse=False)


def idct(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    options: Options = None,
) -> NDArray[Any]:
    """The inverse of `dct` of the same type and norm; as scipy.fft.idct."""
    return _cosine(ctx, x, backend, norm, type, n, axis, options, inverse=True)


def dct2(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    type: int = 2,
    axes: Sequence[int] = (-2, -1),
    options: Options = None,
) -> NDArray[Any]:
    """`dct` along these axes; as scipy.fft.dctn."""
    array = np.asarray(x)
    for axis in reversed(different_axes(axes, array.ndim)):
        array = dct(ctx, array, backend, norm, type=type, axis=axis, options=options)
    return array


def idct2(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    type: int = 2,
    axes: Sequence[int] = (-2, -1),
    options: Options = None,
) -> NDArray[Any]:
    """The inverse of `dct2`; as scipy.fft.idctn."""
    array = np.asarray(x)
    for axis in reversed(different_axes(axes, array.ndim)):
        array = idct(ctx, array, backend, norm, type=type, axis=axis, options=options)
    return array


def _cosine(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str,
    norm: Norm,
    type: int,
    n: int | None,
    axis: int,
    options: Options,
    inverse: bool,
) -> NDArray[Any]:
    array = numbers(x)
    if type not in (2, 3):
        raise FFTError(f"there are cosine transforms of type 2 and 3 here, not {type}")
    (axis,) = different_axes((axis,), array.ndim)
    array = np.moveaxis(resized(array, one_length(n), (axis,)), axis, -1)
    scale = norm_scale(norm, 2 * array.shape[-1], inverse)
    one_way = _cosines if (type == 2) != inverse else _from_cosines
    parts = [array.real, array.imag] if array.dtype.kind == "c" else [array]
    results = [one_way(ctx, part, scale, norm == "ortho", backend, options) for part in parts]
    return np.ascontiguousarray(np.moveaxis(results[0] + 1j * results[1] if results[1:] else results[0], -1, axis))


def _cosines(
    ctx: moderngl.Context, x: NDArray[Any], scale: float, ortho: bool, backend: str, options: Options
) -> NDArray[Any]:
    """Type 2 along the last axis: the transform of the even elements followed by the odd ones backwards, turned."""
    length = x.shape[-1]
    line = np.concatenate([x[..., 0::2], x[..., 1::2][..., ::-1]], axis=-1)
    spectrum = rfft(ctx, line, backend, options=options)
    turned = 2 * scale * spectrum * roots(4 * length, length // 2 + 1, -1, spectrum.dtype)
    result = np.concatenate([turned.real, -turned.imag[..., (length - 1) // 2 : 0 : -1]], axis=-1)
    if ortho:
        result[..., 0] *= np.sqrt(0.5)
    return result


def _from_cosines(
    ctx: moderngl.Context, x: NDArray[Any], scale: float, ortho: bool, backend: str, options: Options
) -> NDArray[Any]:
    """Type 3 along the last axis: the steps of type 2 backwards."""
    length, kept = x.shape[-1], x.shape[-1] // 2 + 1
    x = x * scale
    if ortho:
        x[..., 0] *= np.sqrt(2)
    backwards = np.concatenate([np.zeros_like(x[..., :1]), x[..., :0:-1]], axis=-1)
    spectrum = x[..., :kept] - 1j * backwards[..., :kept]
    spectrum *= roots(4 * length, kept, 1, spectrum.dtype)
    line = irfft(ctx, spectrum, backend, "forward", n=length, options=options)
    result = np.empty_like(line)
    result[..., 0::2] = line[..., : (length + 1) // 2]
    result[..., 1::2] = line[..., (length + 1) // 2 :][..., ::-1]
    return result
