"""Transforms of numpy arrays of any shape, with the names, shapes, scales and errors of numpy.fft.

Each takes a context, an array, and a backend's name. The backend `numpy` also runs without a context: the context is
None then. Arrays in single precision are transformed in single precision and all others in double precision, as in
numpy. Batches that are larger than a buffer of the GPU are split.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial, update_wrapper
from math import prod, sqrt
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.common.errors import shown, whole_number, whole_numbers
from ocean.common.parameters import not_one_of
from ocean.fft.backends import plan
from ocean.fft.options import DEFAULT_BACKEND, FFTError, refuse_endless_scale, validated_options
from ocean.fft.storage import COLUMNS, ROWS, ComplexArray, FieldBuffers, FieldLayers, FieldStorage
from ocean.fft.textbook import numpy_transform
from ocean.gpu.context import current, limits
from ocean.gpu.memory import free_host_bytes

Norm = Literal["backward", "ortho", "forward"] | None
Options = Mapping[str, Any] | None
Lengths = Sequence[int] | None
Axes = Sequence[int] | None


@dataclass(frozen=True)
class Engine:
    """A context, a backend and its options, which transform arrays in host memory. `numpy` needs no context."""

    ctx: moderngl.Context | None
    backend: str
    options: Options = None

    def transform(self, x: NDArray[Any], axes: Sequence[int], inverse: bool, scale: float) -> NDArray[Any]:
        """Transform along `axes`, the last one first, and multiply by `scale`."""
        x = x.astype(np.result_type(x.dtype, np.complex64), copy=False)
        remaining = [axis for axis in axes if x.shape[axis] > 1]  # a single element is its own transform
        if not remaining or x.size == 0:
            return np.asarray(x * scale)  # also an array of no dimensions
        if len(set(remaining)) == len(remaining) > 2 and self.ctx and x.nbytes <= limits(self.ctx).storage_bytes:
            return self._volumes(self.ctx, x, tuple(remaining), inverse, scale)
        while remaining:
            count = len(set(remaining[-2:]))
            taken, remaining = remaining[-count:], remaining[:-count]
            last = range(-count, 0)
            moved = np.moveaxis(x, taken, last)
            flat = moved.reshape(-1, *moved.shape[-count:])
            transform = self._lines if count == 1 else partial(self.run, axes=(ROWS, COLUMNS))
            factor = 1.0 if remaining else scale
            results = [transform(flat[part], inverse=inverse, scale=factor) for part in self._batches(flat)]
            x = np.moveaxis(np.concatenate(results).reshape(moved.shape), last, taken)
        return np.ascontiguousarray(x)

    def _volumes(
        self, ctx: moderngl.Context, x: NDArray[Any], axes: tuple[int, ...], inverse: bool, scale: float
    ) -> NDArray[Any]:
        """Transform along all axes in one buffer, whose shape each axis sees as layers of columns."""
        last = range(-len(axes), 0)
        moved = np.ascontiguousarray(np.moveaxis(x, axes, last))
        shape = moved.shape
        with ExitStack() as owned:
            owned.enter_context(current(ctx))
            fields = FieldBuffers(ctx, shape[-2:], prod(shape[:-2]), 1, x.dtype == np.complex128)
            owned.callback(fields.release)
            fields.upload(moved)
            for axis in reversed(range(len(shape) - len(axes), len(shape))):
                before, length, after = prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :])
                is_last = axis == len(shape) - 1
                view = fields.reshaped(1, before, length) if is_last else fields.reshaped(before, length, after)
                factor = scale if axis == len(shape) - len(axes) else 1.0
                work = plan(ctx, self.backend, view, self.options, factor, (ROWS if is_last else COLUMNS,))
                owned.callback(work.release)
                (work.inverse if inverse else work.forward)()
            result = np.empty_like(moved)  # the input may belong to the caller
            fields.download(result)
        return np.ascontiguousarray(np.moveaxis(result, last, axes))

    def _lines(self, lines: NDArray[Any], inverse: bool, scale: float) -> NDArray[Any]:
        """Transform lines, of shape (lines, length), as the rows of one field, or of two that share their elements."""
        fields = 2 if len(lines) > 1 and lines.dtype == np.complex64 else 1
        padded = np.pad(lines, [(0, -len(lines) % fields), (0, 0)])
        result = self.run(padded.reshape(fields, -1, lines.shape[1]), (ROWS,), inverse, scale)
        return result.reshape(padded.shape)[: len(lines)]

    def _batches(self, x: NDArray[Any]) -> Iterator[slice]:
        """Yield slices of as many items as a buffer holds when Bluestein's transform pads them to four times their
        length. The number of items is even, since two share an element."""
        step = limits(self.ctx).storage_bytes // (4 * x[0].nbytes) // 2 * 2 or 1 if self.ctx is not None else len(x)
        return (slice(start, start + step) for start in range(0, len(x), step))

    def run(self, fields: NDArray[Any], axes: tuple[int, ...], inverse: bool, scale: float) -> NDArray[Any]:
        """Transform fields of shape (fields, height, width) in one storage, or without a context in host memory. Raises
        FFTError when `plan` would raise it, or the backend needs a context and there is none."""
        if self.ctx is None:
            validated_options(self.backend, self.options)
            if self.backend != "numpy":
                raise FFTError(
                    f"{self.backend}: runs on a GPU and needs a context; without one, take the backend numpy"
                )
            return numpy_transform(fields, axes, inverse) * scale
        with ExitStack() as owned:
            owned.enter_context(current(self.ctx))
            storage = storage_for(self.ctx, fields)
            owned.callback(storage.release)
            work = plan(self.ctx, self.backend, storage, self.options, scale, axes)
            owned.callback(work.release)
            missing = storage.layers * storage.packed - len(fields)
            storage.write(np.pad(fields, [(0, missing), (0, 0), (0, 0)]) if missing else fields)
            (work.inverse if inverse else work.forward)()
            return storage.read()[: len(fields)]


def storage_for(ctx: moderngl.Context, fields: NDArray[Any]) -> FieldStorage[Any]:
    """Return images where they can hold the fields, and buffers otherwise."""
    count, height, width = fields.shape
    double = fields.dtype == np.complex128
    there = limits(ctx)
    packed: Literal[1, 2] = 1 if double or count == 1 else 2
    layers = -(-count // packed)
    if not double and max(height, width) <= there.texture_size and layers <= there.texture_layers:
        return FieldLayers(ctx, (height, width), layers, packed)
    return FieldBuffers(ctx, (height, width), layers, packed, double)


Body = Callable[[Engine, NDArray[Any], Lengths, Axes, Norm], NDArray[Any]]
"""A transform of an array, cropped or padded to lengths along axes, with the scale of a norm."""
P = ParamSpec("P")
B = TypeVar("B")


def named(call: Callable[Concatenate[B, P], NDArray[Any]], first: B, name: str, doc: str) -> Callable[P, NDArray[Any]]:
    """Return a function called `name` that passes `first` and its own arguments to `call`."""

    def function(*arguments: P.args, **options: P.kwargs) -> NDArray[Any]:
        return call(first, *arguments, **options)

    function.__name__, function.__qualname__, function.__doc__ = name, name, doc
    return update_wrapper(function, partial(call, first), assigned=())  # for the signature


def along_one(
    body: Body,
    ctx: moderngl.Context | None,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    n: int | None = None,
    axis: int = -1,
    options: Options = None,
) -> NDArray[Any]:
    return body(Engine(ctx, backend, options), numbers(x), one_length(n), (axis,), norm)


def along_all(
    body: Body,
    ctx: moderngl.Context | None,
    x: ArrayLike,
    backend: str = "auto",
    norm: Norm = "backward",
    *,
    s: Lengths = None,
    axes: Axes = None,
    options: Options = None,
) -> NDArray[Any]:
    return body(Engine(ctx, backend, options), numbers(x), s, axes, norm)


along_two = partial(along_all, axes=(-2, -1))


def one_length(n: int | None) -> tuple[int, ...] | None:
    """Return the length of one axis as a sequence, in which -1 would mean the array's own length."""
    if n is not None and whole_number(n, "a length") < 1:
        raise FFTError(f"a transform needs at least one element, not {n}")
    return None if n is None else (n,)


def axes_of(axes: Axes, x: NDArray[Any], s: Lengths = None) -> list[int]:
    """Return the axes counted from the front. None means all axes, or the last `len(s)` axes."""
    if axes is None:
        axes = range(-(x.ndim if s is None else len(whole_numbers(s, "lengths"))), 0)
    places = whole_numbers(axes, "axes")
    if wrong := [axis for axis in places if not -x.ndim <= axis < x.ndim]:
        raise np.exceptions.AxisError(f"axis {shown(wrong[0])} is out of bounds for array of dimension {x.ndim}")
    return [axis % x.ndim for axis in places]


def different_axes(axes: Axes, x: NDArray[Any], s: Lengths = None) -> list[int]:
    """Return the axes counted from the front: at least one, and no axis twice."""
    places = axes_of(axes, x, s)
    if not places or len(set(places)) < len(places):
        raise FFTError(f"expected one or more different axes, not {tuple(places)}")
    return places


def as_array(x: ArrayLike) -> NDArray[Any]:
    try:
        return np.asarray(x)
    except ValueError:
        raise FFTError(f"expected an array of numbers, not rows of several lengths: {shown(x)}") from None


def numbers(x: ArrayLike) -> NDArray[Any]:
    """Return an array of real or complex floating-point numbers in the precision in which numpy would transform it."""
    array = as_array(x)
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
            needed, free = prod(x.shape[:axis] + x.shape[axis + 1 :]) * length * x.itemsize, free_host_bytes()
            if free is not None and needed > free:
                raise FFTError(
                    f"{shown(length)} elements need {shown(needed >> 30)} GiB of memory; {free >> 30} GiB are free"
                )
            x = np.pad(x, [(0, length - x.shape[axis] if one == axis else 0) for one in range(x.ndim)])
    return x


def norm_scale(norm: Norm, count: int, inverse: bool) -> float:
    """Return the factor of a transform of `count` elements."""
    names = ("backward", "ortho", "forward")
    if norm is not None and not (isinstance(norm, str) and norm in names):
        raise FFTError(not_one_of("norm", norm, names))
    if norm == "ortho":
        return 1 / sqrt(count)
    return 1 / count if inverse == (norm != "forward") else 1.0


def _complex(
    engine: Engine, x: NDArray[Any], s: Lengths, axes: Axes, norm: Norm, *, inverse: bool = False
) -> NDArray[Any]:
    axes = axes_of(axes, x, s)
    if s is not None and len(set(axes)) < len(axes) == len(s):  # numpy resizes a repeated axis before each transform
        s = [x.shape[axis] if length == -1 else length for axis, length in zip(axes, s, strict=True)]
        for axis, length in zip(axes[::-1], s[::-1], strict=True):
            x = _complex(engine, x, (length,), (axis,), norm, inverse=inverse)
        return x
    x = resized(x, s, axes)
    scale = norm_scale(norm, prod(x.shape[axis] for axis in axes), inverse)
    return engine.transform(x, axes, inverse, scale)


_inverse = partial(_complex, inverse=True)

fft = named(
    along_one,
    _complex,
    "fft",
    """Return X[k] = sum_j x[j] e^{-2 pi i j k / n} along one axis, cropped or padded with zeros to `n`.

    See numpy.fft.fft. Returns complex64 for input in single precision, complex128 for any other.

    Raises:
        FFTError (a ValueError): when the backend can't run the size or the precision, or `n` or `norm` is not valid.
        AxisError: when there is no such axis.
        TypeError: when the input holds no numbers.
    """,
)
ifft = named(along_one, _inverse, "ifft", "Invert `fft`; see numpy.fft.ifft.")
fft2 = named(
    along_two, _complex, "fft2", "Apply `fft` along two axes, cropped or padded to the lengths `s`; see numpy.fft.fft2."
)
ifft2 = named(along_two, _inverse, "ifft2", "Invert `fft2`; see numpy.fft.ifft2.")
fftn = named(along_all, _complex, "fftn", "Apply `fft` along these axes, or all; see numpy.fft.fftn.")
ifftn = named(along_all, _inverse, "ifftn", "Invert `fftn`; see numpy.fft.ifftn.")


def transform(
    ctx: moderngl.Context | None,
    x: ArrayLike,
    backend: str = DEFAULT_BACKEND,
    inverse: bool = False,
    options: Options = None,
    scale: float = 1.0,
) -> ComplexArray:
    """Transform fields in single precision along rows and columns, and multiply by `scale`, as a plan does.

    `x` and the result have the shape (fields, height, width) or (height, width).

    Raises:
        FFTError: when the shape is wrong, values are not finite, or the backend can't run the size.
    """
    x = as_array(x)
    if not np.issubdtype(x.dtype, np.number):
        raise FFTError(f"expected numbers, not {x.dtype}")
    if x.ndim not in (2, 3) or x.size == 0:
        raise FFTError(f"expected fields of shape (height, width) or (fields, height, width), not {x.shape}")
    with np.errstate(over="ignore"):
        fields = x.reshape(-1, *x.shape[-2:]).astype(np.complex64)
    if not np.isfinite(fields).all():
        raise FFTError("the data hold values that are not finite in single precision")
    refuse_endless_scale(scale)
    return Engine(ctx, backend, options).run(fields, (ROWS, COLUMNS), inverse, scale).reshape(x.shape)
