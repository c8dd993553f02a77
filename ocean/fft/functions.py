"""Transforms of numpy arrays on the GPU, with the names, shapes, scales and errors of numpy.fft.

Each takes a context, an array of any shape, and a backend's name. Arrays in single precision stay in it, all others are
transformed in double, as numpy does. Batches that are larger than a buffer of the GPU go there in parts.
"""

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, Literal

import moderngl
import numpy as np
from numpy.lib.array_utils import normalize_axis_index
from numpy.typing import ArrayLike, NDArray

from ocean.fft.arguments import Norm, Options, norm_scale, numbers, one_length, resized
from ocean.fft.backends import DEFAULT_BACKEND, plan
from ocean.fft.contract import FFTError
from ocean.fft.storage import COLUMNS, ROWS, ComplexArray, FieldBuffers, FieldLayers, FieldStorage
from ocean.gpu.context import limits


def fft(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    n: int | None = None,
    axis: int = -1,
    options: Options = None,
) -> NDArray[Any]:
    """X[k] = sum_j x[j] e^{-2 pi i j k / n} along one axis, cropped or padded with zeros to `n`; as numpy.fft.fft.

    Returns complex64 for input in single precision, complex128 for any other.

    Raises:
        FFTError (a ValueError): when the backend can't run the size or the precision, or `n` or `norm` is no good.
        AxisError: when there is no such axis.
        TypeError: when the input holds no numbers.
    """
    return _complex(ctx, x, backend, norm, one_length(n), (axis,), options, inverse=False)


def ifft(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    n: int | None = None,
    axis: int = -1,
    options: Options = None,
) -> NDArray[Any]:
    """The inverse of `fft`; as numpy.fft.ifft."""
    return _complex(ctx, x, backend, norm, one_length(n), (axis,), options, inverse=True)


def fft2(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    options: Options = None,
) -> NDArray[Any]:
    """`fft` along two axes, cropped or padded to the lengths `s`; as numpy.fft.fft2."""
    return _complex(ctx, x, backend, norm, s, axes, options, inverse=False)


def ifft2(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    options: Options = None,
) -> NDArray[Any]:
    """The inverse of `fft2`; as numpy.fft.ifft2."""
    return _complex(ctx, x, backend, norm, s, axes, options, inverse=True)


def fftn(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    options: Options = None,
) -> NDArray[Any]:
    """`fft` along these axes, or all; as numpy.fft.fftn."""
    return _complex(ctx, x, backend, norm, s, _axes(x, s, axes), options, inverse=False)


def ifftn(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    options: Options = None,
) -> NDArray[Any]:
    """The inverse of `fftn`; as numpy.fft.ifftn."""
    return _complex(ctx, x, backend, norm, s, _axes(x, s, axes), options, inverse=True)


def transform(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str = DEFAULT_BACKEND,
    inverse: bool = False,
    options: Options = None,
    scale: float = 1.0,
) -> ComplexArray:
    """What a plan does to `FieldLayers`, in one call: the 2D transform in single precision of each of the fields `x`,
    of shape (fields, height, width) or (height, width), times `scale`; same shape out.

    Raises:
        FFTError: when the shape is wrong, values are not finite, or the backend can't run the size.
    """
    x = np.asarray(x)
    if not np.issubdtype(x.dtype, np.number):
        raise FFTError(f"expected numbers, not {x.dtype}")
    if x.ndim not in (2, 3) or x.size == 0:
        raise FFTError(f"expected fields of shape (height, width) or (fields, height, width), not {x.shape}")
    with np.errstate(over="ignore"):
        fields = x.reshape(-1, *x.shape[-2:]).astype(np.complex64)
    if not np.isfinite(fields).all():
        raise FFTError("the data hold values that are not finite in single precision")
    return _run(ctx, fields, (ROWS, COLUMNS), inverse, scale, backend, options).reshape(x.shape)


def _axes(x: ArrayLike, s: Sequence[int] | None, axes: Sequence[int] | None) -> Sequence[int]:
    """All axes, or the last ones where lengths are given."""
    count = np.ndim(x) if s is None else len(s)
    return range(-count, 0) if axes is None else axes


def _complex(
    ctx: moderngl.Context,
    x: ArrayLike,
    backend: str,
    norm: Norm,
    s: Sequence[int] | None,
    axes: Sequence[int],
    options: Options,
    inverse: bool,
) -> NDArray[Any]:
    array = numbers(x)
    axes = [normalize_axis_index(axis, array.ndim) for axis in axes]
    if s is not None and len(set(axes)) < len(s) == len(axes):  # numpy resizes an axis that comes again in between
        s = [array.shape[axis] if length == -1 else length for axis, length in zip(axes, s, strict=True)]
        for axis, length in zip(axes[::-1], s[::-1], strict=True):
            array = _complex(ctx, array, backend, norm, (length,), (axis,), options, inverse)
        return array
    array = resized(array, s, axes)
    scale = norm_scale(norm, prod(array.shape[axis] for axis in axes), inverse)
    return transform_axes(ctx, array, axes, inverse, scale, backend, options)


def transform_axes(
    ctx: moderngl.Context,
    x: NDArray[Any],
    axes: Sequence[int],
    inverse: bool,
    scale: float,
    backend: str,
    options: Options,
) -> NDArray[Any]:
    """The transform along `axes`, the last of them first, times `scale`."""
    x = x.astype(np.result_type(x.dtype, np.complex64), copy=False)
    remaining = [axis for axis in axes if x.shape[axis] > 1]  # a single element is its own transform
    if not remaining or x.size == 0:
        return np.asarray(x * scale)  # an array of no dimensions too
    while remaining:
        count = len(set(remaining[-2:]))
        taken, remaining = remaining[-count:], remaining[:-count]
        ends = range(-count, 0)
        moved = np.moveaxis(x, taken, ends)
        flat = moved.reshape(-1, *moved.shape[-count:])
        result = (_planes if count == 2 else _lines)(ctx, flat, inverse, 1.0 if remaining else scale, backend, options)
        x = np.moveaxis(result.reshape(moved.shape), ends, taken)
    return np.ascontiguousarray(x)


def _planes(ctx: moderngl.Context, x: NDArray[Any], *arguments: Any) -> NDArray[Any]:
    """Planes, of shape (planes, height, width)."""
    parts = _batches(ctx, len(x), x[0].nbytes)
    return np.concatenate([_run(ctx, x[part], (ROWS, COLUMNS), *arguments) for part in parts])


def _lines(ctx: moderngl.Context, x: NDArray[Any], *arguments: Any) -> NDArray[Any]:
    """Lines, of shape (lines, length): the rows of two fields that share an element, or of one."""
    results = []
    for part in _batches(ctx, len(x), x[0].nbytes):
        lines = x[part]
        fields = 2 if len(lines) > 1 and x.dtype == np.complex64 else 1
        padded = np.pad(lines, [(0, -len(lines) % fields), (0, 0)])
        result = _run(ctx, padded.reshape(fields, -1, lines.shape[1]), (ROWS,), *arguments)
        results.append(result.reshape(padded.shape)[: len(lines)])
    return np.concatenate(results)


def _batches(ctx: moderngl.Context, count: int, bytes_each: int) -> Iterator[slice]:
    """So many items at a time that a buffer holds them, padded to four times their length as Bluestein's may be; an
    even number, as two share an element."""
    step = limits(ctx).storage_bytes // (4 * bytes_each) // 2 * 2 or 1
    return (slice(start, start + step) for start in range(0, count, step))


def _run(
    ctx: moderngl.Context,
    fields: NDArray[Any],
    axes: tuple[int, ...],
    inverse: bool,
    scale: float,
    backend: str,
    options: Options,
) -> NDArray[Any]:
    """The transform of fields of shape (fields, height, width)."""
    storage = storage_for(ctx, fields)
    try:
        work = plan(ctx, backend, storage, options, scale, axes)
        try:
            missing = storage.layers * storage.packed - len(fields)
            storage.write(np.pad(fields, [(0, missing), (0, 0), (0, 0)]) if missing else fields)
            (work.inverse if inverse else work.forward)()
            return storage.read()[: len(fields)]
        finally:
            work.release()
    finally:
        storage.release()


def storage_for(ctx: moderngl.Context, fields: NDArray[Any]) -> FieldStorage[Any]:
    """Images where they can hold the fields, which is where the ocean has them; buffers otherwise."""
    count, height, width = fields.shape
    double = fields.dtype == np.complex128
    there = limits(ctx)
    packed: Literal[1, 2] = 1 if double or count == 1 else 2
    layers = -(-count // packed)
    if not double and max(height, width) <= there.texture_size and layers <= there.texture_layers:
        return FieldLayers(ctx, (height, width), layers, packed)
    wanted = layers * packed * height * width * fields.itemsize
    if wanted > there.storage_bytes:
        raise FFTError(f"{wanted} bytes are more than a buffer of this GPU holds ({there.storage_bytes})")
    return FieldBuffers(ctx, (height, width), layers, packed, double)
