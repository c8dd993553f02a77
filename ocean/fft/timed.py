"""One transform of an array with all that can be said about it: its result, what it ran as, and how long that takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod, sqrt
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common.parameters import Parameters
from ocean.fft.arguments import norm_scale
from ocean.fft.arrays import storage_for
from ocean.fft.backends import BACKENDS, plan
from ocean.fft.contract import AxisTransform
from ocean.fft.storage import COLUMNS, ROWS
from ocean.gpu.stopwatch import Stopwatch, measure_wait, medians
from ocean.gpu.timing import Clock

KERNEL_CLOCKS: dict[Clock, str] = {"gpu": "GPU timestamps", "wall": "wall clock, the GPU drained before and after"}


@dataclass(frozen=True)
class TimedTransform:
    """Times are medians of several warm runs, in milliseconds."""

    result: NDArray[Any]
    transforms: tuple[AxisTransform, ...]  # released: good for what they say about themselves
    clock: Clock  # of kernels_ms
    kernels_ms: float  # on the GPU alone
    total_ms: float  # by the wall clock, from an array on the host to one there: upload, kernels, read back
    numpy_ms: float  # by the wall clock, of numpy on the same data in the same precision, which has nothing to transfer

    @property
    def backends(self) -> tuple[str, ...]:
        """What ran along each axis, rows first."""
        return tuple(backend_name(transform) for transform in self.transforms)


def backend_name(transform: AxisTransform) -> str:
    """The name of the backend that a transform belongs to, by which `auto` is told from what it picked."""
    return next(name for name, backend in BACKENDS.items() if transform.backend is backend)


def reference_transform(fields: NDArray[Any], axes: Sequence[int], inverse: bool) -> NDArray[Any]:
    """By numpy, in the fields' own precision, along rows or columns or both."""
    numpy_axes = [-1 - axis for axis in axes]
    return np.fft.ifftn(fields, axes=numpy_axes) if inverse else np.fft.fftn(fields, axes=numpy_axes)


def timed_transform(
    ctx: moderngl.Context,
    fields: NDArray[Any],
    inverse: bool,
    backend: str,
    options: Mapping[str, Any] | Parameters | None = None,
) -> TimedTransform:
    """The transform of complex fields of shape (fields, height, width) along rows and columns, with numpy's scale, in
    the fields' own precision. An axis of a single element is left alone; the other must have two.

    Raises:
        FFTError: when the backend can't run the size or the precision.
    """
    count, height, width = fields.shape
    axes = tuple(axis for axis, length in ((ROWS, width), (COLUMNS, height)) if length > 1)
    elements = prod((height, width))
    storage = storage_for(ctx, fields)
    held = np.zeros((storage.layers * storage.packed, height, width), fields.dtype)
    held[:count] = fields
    stopwatch = Stopwatch(ctx)
    try:
        exact = plan(ctx, backend, storage, options, norm_scale("backward", elements, inverse), axes)
        try:
            # Timed on its own results, which neither grow nor fade when the transform is unitary.
            unitary = plan(ctx, backend, storage, options, 1 / sqrt(elements), axes)
            try:

                def whole() -> NDArray[Any]:
                    storage.write(held)
                    (exact.inverse if inverse else exact.forward)()
                    return storage.read()

                result = whole()[:count]
                kernels = stopwatch.measure(unitary.inverse if inverse else unitary.forward)
                host = measure_wait(partial(reference_transform, fields, axes, inverse))
                kernels_ms, total_ms, numpy_ms = medians(kernels, measure_wait(whole), host)
                return TimedTransform(result, exact.transforms, stopwatch.clock, kernels_ms, total_ms, numpy_ms)
            finally:
                unitary.release()
        finally:
            exact.release()
    finally:
        storage.release()
        stopwatch.release()
