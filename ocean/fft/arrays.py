"""Transforms of numpy arrays of any shape by one backend on one context, and the signatures of numpy.fft."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import prod
from typing import Any, Literal, Protocol

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.fft.arguments import Axes, Lengths, Norm, Options, numbers, one_length
from ocean.fft.backends import plan, validated_options
from ocean.fft.contract import FFTError
from ocean.fft.reference import numpy_transform
from ocean.fft.storage import COLUMNS, ROWS, FieldBuffers, FieldLayers, FieldStorage
from ocean.gpu.context import current, limits


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
        if self.ctx and len(set(remaining)) == len(remaining) > 2 and x.nbytes <= limits(self.ctx).storage_bytes:
            return self._volumes(self.ctx, x, tuple(remaining), inverse, scale)
        while remaining:
            count = len(set(remaining[-2:]))
            taken, remaining = remaining[-count:], remaining[:-count]
            last = range(-count, 0)
            moved = np.moveaxis(x, taken, last)
            flat = moved.reshape(-1, *moved.shape[-count:])
            result = (self._planes if count == 2 else self._lines)(flat, inverse, 1.0 if remaining else scale)
            x = np.moveaxis(result.reshape(moved.shape), last, taken)
        return np.ascontiguousarray(x)

    def _volumes(
        self, ctx: moderngl.Context, x: NDArray[Any], axes: tuple[int, ...], inverse: bool, scale: float
    ) -> NDArray[Any]:
        """Transform along all axes in one buffer, whose shape each axis sees as layers of columns."""
        last = range(-len(axes), 0)
        moved = np.ascontiguousarray(np.moveaxis(x, axes, last))
        shape = moved.shape
        with ExitStack() as owned:
            fields = FieldBuffers(ctx, shape[-2:], prod(shape[:-2]), 1, is_double(x))
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

    def _planes(self, x: NDArray[Any], inverse: bool, scale: float) -> NDArray[Any]:
        """Transform planes, of shape (planes, height, width), along both axes."""
        return np.concatenate([self.run(x[part], (ROWS, COLUMNS), inverse, scale) for part in self._batches(x)])

    def _lines(self, x: NDArray[Any], inverse: bool, scale: float) -> NDArray[Any]:
        """Transform lines, of shape (lines, length), as the rows of one field, or of two that share their elements."""
        results = []
        for part in self._batches(x):
            lines = x[part]
            fields = 2 if len(lines) > 1 and x.dtype == np.complex64 else 1
            padded = np.pad(lines, [(0, -len(lines) % fields), (0, 0)])
            result = self.run(padded.reshape(fields, -1, lines.shape[1]), (ROWS,), inverse, scale)
            results.append(result.reshape(padded.shape)[: len(lines)])
        return np.concatenate(results)

    def _batches(self, x: NDArray[Any]) -> Iterator[slice]:
        """Yield slices of as many items as a buffer holds when Bluestein's transform pads them to four times their
        length. The number of items is even, since two share an element."""
        step = limits(self.ctx).storage_bytes // (4 * x[0].nbytes) // 2 * 2 or 1 if self.ctx else len(x)
        return (slice(start, start + step) for start in range(0, len(x), step))

    def run(self, fields: NDArray[Any], axes: tuple[int, ...], inverse: bool, scale: float) -> NDArray[Any]:
        """Transform fields of shape (fields, height, width) in one storage, or without a context in host memory.

        Raises:
            FFTError: when `plan` would raise it, or the backend needs a context and there is none.
        """
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
    double = is_double(fields)
    there = limits(ctx)
    packed: Literal[1, 2] = 1 if double or count == 1 else 2
    layers = -(-count // packed)
    if not double and max(height, width) <= there.texture_size and layers <= there.texture_layers:
        return FieldLayers(ctx, (height, width), layers, packed)
    return FieldBuffers(ctx, (height, width), layers, packed, double)


def is_double(x: NDArray[Any]) -> bool:
    return x.dtype == np.complex128


Body = Callable[[Engine, NDArray[Any], Lengths, Axes, Norm], NDArray[Any]]
"""A transform of an array, cropped or padded to lengths along axes, with the scale of a norm."""


class OneAxis(Protocol):
    """A transform along one axis with the arguments of numpy.fft.fft."""

    def __call__(
        self,
        ctx: moderngl.Context | None,
        x: ArrayLike,
        backend: str = "auto",
        norm: Norm = "backward",
        *,
        n: int | None = None,
        axis: int = -1,
        options: Options = None,
    ) -> NDArray[Any]: ...


class SeveralAxes(Protocol):
    """A transform along several axes with the arguments of numpy.fft.fftn."""

    def __call__(
        self,
        ctx: moderngl.Context | None,
        x: ArrayLike,
        backend: str = "auto",
        norm: Norm = "backward",
        *,
        s: Lengths = None,
        axes: Axes = ...,
        options: Options = None,
    ) -> NDArray[Any]: ...


def one_axis(body: Body, name: str, doc: str) -> OneAxis:
    """Return the transform as a function of this name along one axis."""

    def transform(
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

    transform.__name__, transform.__qualname__, transform.__doc__ = name, name, doc
    return transform


def several_axes(body: Body, name: str, default: Axes, doc: str) -> SeveralAxes:
    """Return the transform as a function of this name along several axes, by default `default`."""

    def transform(
        ctx: moderngl.Context | None,
        x: ArrayLike,
        backend: str = "auto",
        norm: Norm = "backward",
        *,
        s: Lengths = None,
        axes: Axes = default,
        options: Options = None,
    ) -> NDArray[Any]:
        return body(Engine(ctx, backend, options), numbers(x), s, axes, norm)

    transform.__name__, transform.__qualname__, transform.__doc__ = name, name, doc
    return transform
