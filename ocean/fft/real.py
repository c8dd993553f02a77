"""Real and cosine transforms, with the names, shapes and scales of numpy.fft and scipy.fft.

A real line of even length is a complex line of half the length, with its even elements as real and its odd ones as
imaginary parts. Lines of odd length are paired into one complex line. A cosine transform is the real transform of the
re-ordered line (Makhoul, "A fast cosine transform in one and two dimensions", 1980). Types 1 and 4 transform the
mirrored and the turned line.
"""

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.common.errors import whole_number, whole_numbers
from ocean.fft.arrays import (
    Axes,
    Engine,
    Lengths,
    Norm,
    Options,
    along_all,
    along_one,
    along_two,
    different_axes,
    named,
    norm_scale,
    numbers,
    one_length,
    resized,
)
from ocean.fft.options import FFTError


def real_forward(engine: Engine, array: NDArray[Any], s: Lengths, axes: Axes, norm: Norm) -> NDArray[Any]:
    """Transform real numbers along the last axis, then complex ones along the others."""
    if array.dtype.kind == "c":
        raise TypeError("expected real numbers, not complex ones")
    axes = different_axes(axes, array, s)
    last = range(-len(axes), 0)
    array = np.moveaxis(resized(array, s, axes), axes, last)
    length = array.shape[-1]
    scale = norm_scale(norm, prod(array.shape[axis] for axis in last), inverse=False)
    if length % 2:
        pairs, largest = _paired(array, len(axes))
        both = engine.transform(pairs, last, False, scale)
        first, second = (part[..., : length // 2 + 1] for part in _symmetric_parts(both, last))
        spectrum = _unpaired((first, second), largest, array.shape[:-1])
    else:
        halves = np.ascontiguousarray(array).view(np.result_type(array.dtype, np.complex64))
        both = engine.transform(halves, last, False, scale)
        even, odd = _symmetric_parts(both, last)
        turned = np.concatenate([odd, odd[..., :1]], axis=-1) * roots(length, length // 2 + 1, -1, odd.dtype)
        spectrum = np.concatenate([even, even[..., :1]], axis=-1) + turned
    return np.ascontiguousarray(np.moveaxis(spectrum, last, axes))


def real_inverse(engine: Engine, array: NDArray[Any], s: Lengths, axes: Axes, norm: Norm) -> NDArray[Any]:
    axes = different_axes(axes, array, s)
    own = [array.shape[axis] for axis in axes]
    lengths = [*own[:-1], 2 * own[-1] - 2] if s is None else whole_numbers(s, "lengths")
    if lengths and lengths[-1] == -1:
        lengths[-1] = own[-1]  # numpy takes the length of the input
    length = lengths[-1] if lengths else 0
    if length < 1:
        raise FFTError(f"a transform needs at least one element, not {length}")
    last = range(-len(axes), 0)
    array = np.moveaxis(resized(array, [*lengths[:-1], length // 2 + 1], axes), axes, last)
    array = _real_lines_only(array.astype(np.result_type(array.dtype, np.complex64)), length, last)
    scale = norm_scale(norm, prod(array.shape[axis] for axis in last[:-1]) * length, inverse=True)
    if length % 2:
        whole = np.concatenate([array, np.conj(_reversed(array[..., :0:-1], last[:-1]))], axis=-1)
        pairs, largest = _paired(whole, len(axes))
        both = engine.transform(pairs, last, True, scale)
        lines = _unpaired((both.real, both.imag), largest, array.shape[:-1])
    else:
        half, array = length // 2, array / 2  # halved so that the sums can't overflow; the scale is doubled instead
        direct, mirrored = array[..., :half], np.conj(_reversed(array[..., :0:-1], last[:-1]))
        turned = (direct - mirrored) * roots(length, half, 1, array.dtype)
        both = engine.transform(direct + mirrored + 1j * turned, last, True, 2 * scale)
        lines = np.ascontiguousarray(both).view(both.real.dtype)
    return np.ascontiguousarray(np.moveaxis(lines, last, axes))


rfft = named(
    along_one,
    real_forward,
    "rfft",
    """Return the n // 2 + 1 elements of `fft` that determine the transform of a real line; see numpy.fft.rfft.

    Raises:
        TypeError: when the input is complex or holds no numbers.
        FFTError, AxisError: when `fft` would raise them.
    """,
)
irfft = named(
    along_one,
    real_inverse,
    "irfft",
    "Return the real line of length `n`, by default 2 (m - 1), whose `rfft` has the m elements; see numpy.fft.irfft.",
)
rfft2 = named(
    along_two, real_forward, "rfft2", "Apply `rfft` along the last axis, `fft` along the other; see numpy.fft.rfft2."
)
irfft2 = named(along_two, real_inverse, "irfft2", "Invert `rfft2`; see numpy.fft.irfft2.")
rfftn = named(
    along_all, real_forward, "rfftn", "Apply `rfft` along the last of these axes, or of all, `fft` along the others."
)
irfftn = named(along_all, real_inverse, "irfftn", "Invert `rfftn`; see numpy.fft.irfftn.")


def roots(size: int, count: int, sign: int, dtype: np.dtype[Any], first: float = 0.0) -> NDArray[Any]:
    """Return `count` of the roots e^{sign 2 pi i k / size} from k = `first` on."""
    return np.asarray(np.exp(1j * (sign * 2 * np.pi * (first + np.arange(count)) / size)), dtype)


def _reversed(x: NDArray[Any], axes: Sequence[int]) -> NDArray[Any]:
    """Return the array with element -k modulo the length at position k, along each of the axes."""
    axes = tuple(axes)
    return np.roll(np.flip(x, axes), (1,) * len(axes), axes) if axes else x


def _symmetric_parts(x: NDArray[Any], axes: Sequence[int]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the transforms of the real a and of the real b, given the transform of a + i b."""
    x = x / 2  # first, so that sums can't overflow
    mirrored = np.conj(_reversed(x, axes))
    return x + mirrored, (x - mirrored) / 1j


def _real_lines_only(x: NDArray[Any], length: int, axes: Sequence[int]) -> NDArray[Any]:
    """Remove the imaginary parts of elements 0 and `length` / 2, which no real line of this length has."""
    for k in (0, length // 2) if length % 2 == 0 else (0,):
        column = x[..., k] / 2
        x[..., k] = column + np.conj(_reversed(column, [axis + 1 for axis in axes[:-1]]))
    return x


def _paired(x: NDArray[Any], dimensions: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return pairs of items as a + i b, and the largest magnitude of each item.

    Items are scaled to near 1, so that errors of large ones do not hide small ones. Infinities and NaNs give zeros.
    """
    items = x.reshape(-1, *x.shape[x.ndim - dimensions :])
    if len(items) % 2:
        items = np.concatenate([items, np.zeros_like(items[:1])])
    largest = np.abs(items).max(axis=tuple(range(1, items.ndim)), initial=0, keepdims=True)
    items = np.where(np.isfinite(largest), items, 0)
    items = _ldexp(items, -np.frexp(largest)[1])
    return items[0::2] + 1j * items[1::2], largest


def _unpaired(parts: tuple[NDArray[Any], NDArray[Any]], largest: NDArray[Any], shape: Sequence[int]) -> NDArray[Any]:
    """Return the items of both parts in turn, scaled back, in this shape; NaN for items with infinities or NaNs."""
    items = np.stack(parts, axis=1).reshape(-1, *parts[0].shape[1:])
    items = np.where(np.isfinite(largest), _ldexp(items, np.frexp(largest)[1]), items.dtype.type(np.nan))
    items = items[: prod(shape[: len(shape) - parts[0].ndim + 2])]
    return items.reshape(*shape, items.shape[-1])


def _ldexp(x: NDArray[Any], exponents: NDArray[Any]) -> NDArray[Any]:
    """Return x times 2^exponents, exactly, for real and complex x."""
    result: NDArray[Any] = np.ldexp(np.ascontiguousarray(x).view(x.real.dtype), exponents)
    return result.view(x.dtype)


def _cosine_along_one(
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


def _cosine_along_all(
    inverse: bool,
    ctx: moderngl.Context | None,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    type: int = 2,
    s: Lengths = None,
    axes: Axes = None,
    options: Options = None,
) -> NDArray[Any]:
    return _cosine(Engine(ctx, backend, options), x, norm, type, s, axes, inverse)


_cosine_along_two = partial(_cosine_along_all, axes=(-2, -1))
dct = named(
    _cosine_along_one,
    False,
    "dct",
    """Return the cosine transform of a type along one axis: y[k] = 2 sum_j x[j] cos(pi k (2 j + 1) / (2 n)) for type 2,
    its inverse times 2 n for type 3, and types 1 and 4, which invert themselves. See scipy.fft.dct.

    Raises:
        FFTError: when there is no such type, or type 1 has a length of 1, and when `fft` would raise it.
    """,
)
idct = named(_cosine_along_one, True, "idct", "Invert `dct` of the same type and norm; see scipy.fft.idct.")
dct2 = named(_cosine_along_two, False, "dct2", "Apply `dct` along these two axes; see scipy.fft.dctn.")
idct2 = named(_cosine_along_two, True, "idct2", "Invert `dct2`; see scipy.fft.idctn.")
dctn = named(_cosine_along_all, False, "dctn", "Apply `dct` along these axes, or all; see scipy.fft.dctn.")
idctn = named(_cosine_along_all, True, "idctn", "Invert `dctn`; see scipy.fft.idctn.")


def _cosine(engine: Engine, x: ArrayLike, norm: Norm, type: int, s: Lengths, axes: Axes, inverse: bool) -> NDArray[Any]:
    kinds = {1: _cosines_1, 2: _cosines, 3: _from_cosines, 4: _cosines_4}
    if whole_number(type, "the type of a cosine transform") not in kinds:
        raise FFTError(f"the type of a cosine transform must be 1 to 4, not {type}")
    along_last = kinds[{2: 3, 3: 2}.get(type, type) if inverse else type]
    array = numbers(x)
    places = different_axes(axes, array, s)
    array = resized(array, s, places)
    for axis in reversed(places):
        lines = np.moveaxis(array, axis, -1)
        count = 2 * (lines.shape[-1] - (type == 1))
        if count < 1:
            if not array.size:  # no lines: scipy returns such an array as it is
                continue
            raise FFTError("a cosine transform of type 1 needs at least two elements, not 1")
        scale = norm_scale(norm, count, inverse)
        parts = [lines.real, lines.imag] if array.dtype.kind == "c" else [lines]
        results = [along_last(engine, part, scale, norm == "ortho") for part in parts]
        array = np.moveaxis(results[0] + 1j * results[1] if results[1:] else results[0], -1, axis)
    return np.ascontiguousarray(array)


def _cosines_1(engine: Engine, x: NDArray[Any], scale: float, ortho: bool) -> NDArray[Any]:
    """Apply type 1 along the last axis: transform the line and its mirror image."""
    x = x * scale
    if ortho:
        x[..., [0, -1]] *= np.sqrt(2)
    result = real_forward(engine, np.concatenate([x, x[..., -2:0:-1]], -1), None, (-1,), "backward").real
    if ortho:
        result[..., [0, -1]] *= np.sqrt(0.5)
    return result


def _cosines_4(engine: Engine, x: NDArray[Any], scale: float, ortho: bool) -> NDArray[Any]:
    """Apply type 4 along the last axis. A line of even length n is a complex one of n / 2, of its even elements and of
    its odd ones backwards, turned by e^{-i pi (j + 1/4) / n} before and e^{-i pi k / n} after the transform. Odd lines
    are padded to 2 n."""
    n = x.shape[-1]
    kind = np.result_type(x.dtype, np.complex64)
    if n % 2:
        line = np.concatenate([x * roots(4 * n, n, -1, kind), np.zeros_like(x)], axis=-1)
        turned = engine.transform(line, (-1,), False, 2 * scale)[..., :n] * roots(4 * n, n, -1, kind, 0.5)
        return np.ascontiguousarray(turned.real)
    turned = (x[..., ::2] + 1j * x[..., ::-2]) * roots(2 * n, n // 2, -1, kind, 0.25)
    turned = engine.transform(turned, (-1,), False, 2 * scale) * roots(2 * n, n // 2, -1, kind)
    result = np.empty_like(x)
    result[..., ::2], result[..., ::-2] = turned.real, -turned.imag
    return result


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
    """Apply type 3 along the last axis: the operations of type 2 in reverse order."""
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
