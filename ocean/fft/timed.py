"""One transform of an array with its result, its backends and its times."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from math import sqrt
from time import perf_counter
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common.parameters import Parameters
from ocean.fft.arguments import norm_scale
from ocean.fft.arrays import storage_for
from ocean.fft.backends import name_of, plan
from ocean.fft.contract import AxisTransform
from ocean.fft.reference import numpy_transform
from ocean.fft.storage import COLUMNS, ROWS
from ocean.gpu.stopwatch import Stopwatch, measure_wait, medians
from ocean.gpu.timing import Clock

KERNEL_CLOCKS: dict[Clock, str] = {"gpu": "GPU timestamps", "wall": "wall clock, the GPU drained before and after"}

LONG_MS = 2000.0
"""Time [ms] from which a transform is measured once, so that measuring takes no more than a minute."""
RUNS, WHOLE_RUNS, LONG_RUNS = 13, 7, 2
"""Runs of a transform, its runs with transfers, and runs of a long transform."""


@dataclass(frozen=True)
class TimedTransform:
    """A transform and its times in milliseconds: medians of several warm runs, or the times of one warm run."""

    result: NDArray[Any]
    transforms: tuple[AxisTransform, ...]  # released; their properties remain valid
    clock: Clock  # clock of kernels_ms
    kernels_ms: float  # on the GPU alone
    total_ms: float  # wall clock, from host array to host array: upload, kernels, read back
    numpy_ms: float  # wall clock, numpy on equal data in equal precision
    is_long: bool  # one run was measured

    @property
    def measured(self) -> str:
        return "of one warm run" if self.is_long else "medians of several warm runs"

    @property
    def backends(self) -> tuple[str, ...]:
        return tuple(name_of(transform.backend) for transform in self.transforms)  # never "auto"


def timed_transform(
    ctx: moderngl.Context,
    fields: NDArray[Any],
    inverse: bool,
    backend: str,
    options: Mapping[str, Any] | Parameters | None = None,
    ran: Callable[[], object] | None = None,
) -> TimedTransform:
    """Transform complex fields of shape (fields, height, width) along rows and columns, with numpy's scale, and measure
    it: several times, or once from LONG_MS on. The fields set the precision. An axis with a single element is
    skipped; the other axis must have two or more. `ran` is called after each transform with transfers.

    Raises:
        FFTError: when the backend can't run the size or the precision.
    """
    count, height, width = fields.shape
    axes = tuple(axis for axis, length in ((ROWS, width), (COLUMNS, height)) if length > 1)
    elements = height * width
    with ExitStack() as owned:
        storage = storage_for(ctx, fields)
        owned.callback(storage.release)
        padded = np.zeros((storage.layers * storage.packed, height, width), fields.dtype)
        padded[:count] = fields
        stopwatch = Stopwatch(ctx)
        owned.callback(stopwatch.release)
        exact = plan(ctx, backend, storage, options, norm_scale("backward", elements, inverse), axes)
        owned.callback(exact.release)
        transform = exact.inverse if inverse else exact.forward

        def whole(run: Callable[[], object] = transform) -> NDArray[Any]:
            storage.write(padded)
            run()
            found = storage.read()
            if ran:
                ran()
            return found

        host = measure_wait(partial(numpy_transform, fields, axes, inverse))
        start = perf_counter()
        result = whole()[:count]
        if (perf_counter() - start) * 1e3 > LONG_MS:  # warm, or with compilation in the first run
            kernel_times: list[float] = []
            start = perf_counter()
            whole(lambda: kernel_times.append(stopwatch.time(transform)[0]))
            total_ms = (perf_counter() - start) * 1e3
            if total_ms > LONG_MS:
                return TimedTransform(
                    result, exact.transforms, stopwatch.clock, kernel_times[0], total_ms, host(), is_long=True
                )
        # Each run transforms the result of the run before; a unitary transform keeps the magnitude.
        unitary = plan(ctx, backend, storage, options, 1 / sqrt(elements), axes)
        owned.callback(unitary.release)
        kernels = stopwatch.measure(unitary.inverse if inverse else unitary.forward)
        kernels_ms, total_ms, numpy_ms = medians(kernels, measure_wait(whole), host)
        return TimedTransform(result, exact.transforms, stopwatch.clock, kernels_ms, total_ms, numpy_ms, False)
