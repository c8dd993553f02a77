"""Discrete cosine transforms of types 2 and 3, with the names, shapes and scales of scipy.fft.

They are real transforms of the re-ordered line (Makhoul, "A fast cosine transform in one and two dimensions", 1980).
"""

import inspect
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.fft.arguments import (
    Axes,
    Lengths,
    Norm,
    Options,
    different_axes,
    norm_scale,
    numbers,
    one_length,
    resized,
    whole_number,
)
from ocean.fft.arrays import Engine
from ocean.fft.contract import FFTError
from ocean.fft.real import real_forward, real_inverse, roots

P = ParamSpec("P")


def _named(
    transform: Callable[Concatenate[bool, P], NDArray[Any]], inverse: bool, name: str, doc: str
) -> Callable[P, NDArray[Any]]:
    """Return a transform in one direction as a function of this name."""

    def directed(*arguments: P.args, **options: P.kwargs) -> NDArray[Any]:
        return transform(inverse, *arguments, **options)

    directed.__name__, directed.__qualname__, directed.__doc__ = name, name, doc
    shown = inspect.signature(transform)
    parameters = [one for one in shown.parameters.values() if one.name != "inverse"]
    directed.__signature__ = shown.replace(parameters=parameters)  # type: ignore[attr-defined]
    return directed


def _along_one(
    inverse: bool,
    ctx: moderngl.Context | None,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    options: Options = None,
) -> NDArray[Any]:
    return _cosine(Engine(ctx, backend, options), x, norm, type, one_length(n), (axis,), inverse)


def _along_two(
    inverse: bool,
    ctx: moderngl.Context | None,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    type: int = 2,
    axes: Axes = (-2, -1),
    options: Options = None,
) -> NDArray[Any]:
    return _cosine(Engine(ctx, backend, options), x, norm, type, None, axes, inverse)


dct = _named(
    _along_one,
    False,
    "dct",
    """Return y[k] = 2 sum_j x[j] cos(pi k (2 j + 1) / (2 n)) along one axis (type 2), or its inverse times 2 n (3).

    See scipy.fft.dct.
    """,
)
idct = _named(_along_one, True, "idct", "Invert `dct` of the same type and norm; see scipy.fft.idct.")
dct2 = _named(_along_two, False, "dct2", "Apply `dct` along these axes; see scipy.fft.dctn.")
idct2 = _named(_along_two, True, "idct2", "Invert `dct2`; see scipy.fft.idctn.")


def _cosine(engine: Engine, x: ArrayLike, norm: Norm, type: int, s: Lengths, axes: Axes, inverse: bool) -> NDArray[Any]:
    if whole_number(type, "the type of a cosine transform") not in (2, 3):
        raise FFTError(f"the type of a cosine transform must be 2 or 3, not {type}")
    array = numbers(x)
    places = different_axes(axes, array)
    array = resized(array, s, places)
    along_last = _cosines if (type == 2) != inverse else _from_cosines
    for axis in reversed(places):
        lines = np.moveaxis(array, axis, -1)
        scale = norm_scale(norm, 2 * lines.shape[-1], inverse)
        parts = [lines.real, lines.imag] if array.dtype.kind == "c" else [lines]
        results = [along_last(engine, part, scale, norm == "ortho") for part in parts]
        array = np.moveaxis(results[0] + 1j * results[1] if results[1:] else results[0], -1, axis)
    return np.ascontiguousarray(array)


def _cosines(engine: Engine, x: NDArray[Any], scale: float, ortho: bool) -> NDArray[Any]:
    """Apply type 2 along the last axis: transform the even elements and the odd ones backwards, and turn the result."""
    length = x.shape[-1]
    line = np.concatenate([x[..., 0::2], x[..., 1::2][..., ::-1]], axis=-1)
    spectrum = real_forward(engine, line, None, (-1,), "backward")
    turned = 2 * scale * spectrum * roots(4 * length, length // 2 + 1, -1, spectrum.dtype)
    result = np.concatenate([turned.real, -turned.imag[..., (length - 1) // 2 : 0 : -1]], axis=-1)
    if ortho:
        result[..., 0] *= np.sqrt(0.5)
    return result


def _from_cosines(engine: Engine, x: NDArray[Any], scale: float, ortho: bool) -> NDArray[Any]:
    """Apply type 3 along the last axis: the steps of type 2 backwards."""
    length, kept = x.shape[-1], x.shape[-1] // 2 + 1
    x = x * scale
    if ortho:
        x[..., 0] *= np.sqrt(2)
    backwards = np.concatenate([np.zeros_like(x[..., :1]), x[..., :0:-1]], axis=-1)
    spectrum = x[..., :kept] - 1j * backwards[..., :kept]
    spectrum *= roots(4 * length, kept, 1, spectrum.dtype)
    line = real_inverse(engine, spectrum, (length,), (-1,), "forward")
    result = np.empty_like(line)
    result[..., 0::2] = line[..., : (length + 1) // 2]
    result[..., 1::2] = line[..., (length + 1) // 2 :][..., ::-1]
    return result
