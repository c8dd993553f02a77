"""Transforms of real arrays at half the work of complex ones, with the names, shapes and scales of numpy.fft.

A real line of even length is transformed as a complex one of half the length, whose real parts are its even elements
and whose imaginary parts its odd ones; lines of odd length go two at a time, as real and imaginary part of one.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.fft.arguments import Norm, Options, different_axes, norm_scale, numbers, one_length, resized
from ocean.fft.contract import FFTError
from ocean.fft.functions import transform_axes


def rfft(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    n: int | None = None,
    axis: int = -1,
    options: Options = None,
) -> NDArray[Any]:
    """The n // 2 + 1 elements of `fft` that a real line's transform consists of; as numpy.fft.rfft.

    Raises:
        TypeError: when the input is complex or holds no numbers.
        FFTError, AxisError: as `fft`.
    """
    return _forward(ctx, x, backend, norm, one_length(n), (axis,), options)


def rfft2(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    options: Options = None,
) -> NDArray[Any]:
    """`rfft` along the last of the axes, then `fft` along the other; as numpy.fft.rfft2."""
    return _forward(ctx, x, backend, norm, s, axes, options)


def irfft(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    n: int | None = None,
    axis: int = -1,
    options: Options = None,
) -> NDArray[Any]:
    """The real line of length `n`, by default 2 (m - 1), whose `rfft` the m elements are; as numpy.fft.irfft."""
    return _inverse(ctx, x, backend, norm, one_length(n), (axis,), options)


def irfft2(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    options: Options = None,
) -> NDArray[Any]:
    """The inverse of `rfft2`; as numpy.fft.irfft2."""
    return _inverse(ctx, x, backend, norm, s, axes, options)


Shape = Sequence[int] | None


def _forward(
    ctx: moderngl.Context, x: ArrayLike, backend: str, norm: Norm, s: Shape, axes: Sequence[int], options: Options
) -> NDArray[Any]:
    array = numbers(x)
    if array.dtype.kind == "c":
        raise TypeError("expected real numbers, not complex ones")
    axes = different_axes(axes, array.ndim)
    ends = range(-len(axes), 0)
    array = np.moveaxis(resized(array, s, axes), axes, ends)
    length = array.shape[-1]
    scale = norm_scale(norm, prod(array.shape[end] for end in ends), inverse=False)
    if length % 2:
        pairs, largest = _paired(array, len(axes))
        both = transform_axes(ctx, pairs, ends, False, scale, backend, options)
        first, second = (part[..., : length // 2 + 1] for part in _symmetric_parts(both, ends))
        spectrum = _unpaired((first, second), largest, array.shape[:-1])
    else:
        halves = np.ascontiguousarray(array).view(_complex_type(array))
        both = transform_axes(ctx, halves, ends, False, scale, backend, options)
        even, odd = _symmetric_parts(both, ends)
        turned = np.concatenate([odd, odd[..., :1]], axis=-1) * roots(length, length // 2 + 1, -1, odd.dtype)
        spectrum = np.concatenate([even, even[..., :1]], axis=-1) + turned
    return np.ascontiguousarray(np.moveaxis(spectrum, ends, axes))


def _inverse(
    ctx: moderngl.Context, x: ArrayLike, backend: str, norm: Norm, s: Shape, axes: Sequence[int], options: Options
) -> NDArray[Any]:
    array = numbers(x)
    axes = different_axes(axes, array.ndim)
    own = [array.shape[axis] for axis in axes]
    lengths = [*own[:-1], 2 * own[-1] - 2] if s is None else list(s)
    if lengths and lengths[-1] == -1:
        lengths[-1] = own[-1]  # of the input, as numpy has it
    length = lengths[-1]
    if length < 1:
        raise FFTError(f"a transform needs at least one element, not {length}")
    ends = range(-len(axes), 0)
    array = np.moveaxis(resized(array, [*lengths[:-1], length // 2 + 1], axes), axes, ends)
    array = _real_lines_only(array.astype(_complex_type(array)), length, ends)
    scale = norm_scale(norm, prod(array.shape[end] for end in ends[:-1]) * length, inverse=True)
    if length % 2:
        whole = np.concatenate([array, np.conj(_reversed(array[..., :0:-1], ends[:-1]))], axis=-1)
        pairs, largest = _paired(whole, len(axes))
        both = transform_axes(ctx, pairs, ends, True, scale, backend, options)
        lines = _unpaired((both.real, both.imag), largest, array.shape[:-1])
    else:
        half = length // 2
        direct, mirrored = array[..., :half], np.conj(_reversed(array[..., :0:-1], ends[:-1]))
        turned = (direct - mirrored) * roots(length, half, 1, array.dtype)
        both = transform_axes(ctx, direct + mirrored + 1j * turned, ends, True, scale, backend, options)
        lines = np.ascontiguousarray(both).view(both.real.dtype)
    return np.ascontiguousarray(np.moveaxis(lines, ends, axes))


def _complex_type(x: NDArray[Any]) -> np.dtype[Any]:
    return np.result_type(x.dtype, np.complex64)


def roots(size: int, count: int, sign: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The first `count` of the roots e^{sign 2 pi i k / size}."""
    angles = sign * 2 * np.pi * np.arange(count) / size
    return (np.cos(angles) + 1j * np.sin(angles)).astype(dtype)


def _reversed(x: NDArray[Any], axes: Sequence[int]) -> NDArray[Any]:
    """Element -k modulo the length at place k, along each of the axes."""
    axes = tuple(axes)
    return np.roll(np.flip(x, axes), (1,) * len(axes), axes) if axes else x


def _symmetric_parts(x: NDArray[Any], axes: Sequence[int]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Of the transform of a + i b, the transforms of the real a and of the real b."""
    mirrored = np.conj(_reversed(x, axes))
    return (x + mirrored) / 2, (x - mirrored) / 2j


def _real_lines_only(x: NDArray[Any], length: int, axes: Sequence[int]) -> NDArray[Any]:
    """Without what no real line of this length has: elements 0 and `length` / 2 that are not their own conjugates."""
    for k in (0, length // 2) if length % 2 == 0 else (0,):
        column = x[..., k]
        x[..., k] = (column + np.conj(_reversed(column, [axis + 1 for axis in axes[:-1]]))) / 2
    return x


def _paired(x: NDArray[Any], dimensions: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Items of so many dimensions two by two as a + i b, each scaled to near 1, lest the rounding errors of a large one
    drown a small one, and nothing in place of those with infinities or NaNs; and the largest magnitude of each."""
    items = x.reshape(-1, *x.shape[x.ndim - dimensions :])
    if len(items) % 2:
        items = np.concatenate([items, np.zeros_like(items[:1])])
    largest = np.abs(items).max(axis=tuple(range(1, items.ndim)), initial=0, keepdims=True)
    items = np.where(np.isfinite(largest), items, 0)
    items = _ldexp(items, -np.frexp(largest)[1])
    return items[0::2] + 1j * items[1::2], largest


def _unpaired(parts: tuple[NDArray[Any], NDArray[Any]], largest: NDArray[Any], shape: Sequence[int]) -> NDArray[Any]:
    """The items of both parts in turn, scaled back, with this shape before their last axis; NaN where an item held
    something that was not finite."""
    items = np.stack(parts, axis=1).reshape(-1, *parts[0].shape[1:])
    items = np.where(np.isfinite(largest), _ldexp(items, np.frexp(largest)[1]), items.dtype.type(np.nan))
    items = items[: prod(shape[: len(shape) - parts[0].ndim + 2])]
    return items.reshape(*shape, items.shape[-1])


def _ldexp(x: NDArray[Any], exponents: NDArray[Any]) -> NDArray[Any]:
    """x times 2^exponents, exactly, of complex numbers too."""
    result: NDArray[Any] = np.ldexp(np.ascontiguousarray(x).view(x.real.dtype), exponents)
    return result.view(x.dtype)
