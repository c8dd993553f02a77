"""Transforms of real arrays at half the work of complex ones, with the names, shapes and scales of numpy.fft.

A real line of even length is transformed as a complex line of half the length, whose real parts are its even elements
and whose imaginary parts its odd ones. Lines of odd length are transformed in pairs, as parts of one complex line.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.fft.arguments import Axes, Lengths, Norm, different_axes, norm_scale, resized, whole_numbers
from ocean.fft.arrays import Engine, one_axis, several_axes
from ocean.fft.contract import FFTError


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
        halves = np.ascontiguousarray(array).view(_complex_type(array))
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
    length = lengths[-1]
    if length < 1:
        raise FFTError(f"a transform needs at least one element, not {length}")
    last = range(-len(axes), 0)
    array = np.moveaxis(resized(array, [*lengths[:-1], length // 2 + 1], axes), axes, last)
    array = _real_lines_only(array.astype(_complex_type(array)), length, last)
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


rfft = one_axis(
    real_forward,
    "rfft",
    """Return the n // 2 + 1 elements of `fft` that determine the transform of a real line; see numpy.fft.rfft.

    Raises:
        TypeError: when the input is complex or holds no numbers.
        FFTError, AxisError: when `fft` would raise them.
    """,
)
irfft = one_axis(
    real_inverse,
    "irfft",
    "Return the real line of length `n`, by default 2 (m - 1), whose `rfft` has the m elements; see numpy.fft.irfft.",
)
rfft2 = several_axes(
    real_forward, "rfft2", (-2, -1), "Apply `rfft` along the last axis, `fft` along the other; see numpy.fft.rfft2."
)
irfft2 = several_axes(real_inverse, "irfft2", (-2, -1), "Invert `rfft2`; see numpy.fft.irfft2.")


def _complex_type(x: NDArray[Any]) -> np.dtype[Any]:
    return np.result_type(x.dtype, np.complex64)


def roots(size: int, count: int, sign: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the first `count` of the roots e^{sign 2 pi i k / size}."""
    return np.asarray(np.exp(1j * (sign * 2 * np.pi * np.arange(count) / size)), dtype)


def _reversed(x: NDArray[Any], axes: Sequence[int]) -> NDArray[Any]:
    """Return the array with element -k modulo the length at place k, along each of the axes."""
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

    Each item is scaled to near 1, so that rounding errors of a large item do not hide a small one. An item with
    infinities or NaNs becomes zeros.
    """
    items = x.reshape(-1, *x.shape[x.ndim - dimensions :])
    if len(items) % 2:
        items = np.concatenate([items, np.zeros_like(items[:1])])
    largest = np.abs(items).max(axis=tuple(range(1, items.ndim)), initial=0, keepdims=True)
    items = np.where(np.isfinite(largest), items, 0)
    items = _ldexp(items, -np.frexp(largest)[1])
    return items[0::2] + 1j * items[1::2], largest


def _unpaired(parts: tuple[NDArray[Any], NDArray[Any]], largest: NDArray[Any], shape: Sequence[int]) -> NDArray[Any]:
    """Return the items of both parts in turn, scaled back, of this shape before their last axis. Items with infinities
    or NaNs become NaN."""
    items = np.stack(parts, axis=1).reshape(-1, *parts[0].shape[1:])
    items = np.where(np.isfinite(largest), _ldexp(items, np.frexp(largest)[1]), items.dtype.type(np.nan))
    items = items[: prod(shape[: len(shape) - parts[0].ndim + 2])]
    return items.reshape(*shape, items.shape[-1])


def _ldexp(x: NDArray[Any], exponents: NDArray[Any]) -> NDArray[Any]:
    """Return x times 2^exponents, exactly, for real and complex x."""
    result: NDArray[Any] = np.ldexp(np.ascontiguousarray(x).view(x.real.dtype), exponents)
    return result.view(x.dtype)
