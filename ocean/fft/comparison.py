"""Backends compared on copies of one input in one storage, and one transform timed with its result."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import prod, sqrt
from time import perf_counter
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common.facts import usable
from ocean.common.parameters import Parameters
from ocean.fft.arrays import norm_scale, storage_for
from ocean.fft.auto import Auto
from ocean.fft.backends import BACKENDS, name_of, obstacle, plan
from ocean.fft.contract import AxisTransform, FFTPlan
from ocean.fft.kernels import PlaneTransform
from ocean.fft.measure import ROUNDS, Candidate, Measurement, Reached, measure
from ocean.fft.options import FFTError, KernelOptions, validated_options
from ocean.fft.storage import COLUMNS, ROWS, FieldStorage, pack
from ocean.fft.textbook import numpy_transform
from ocean.gpu.timing import Clock, Stopwatch, measure_wait, medians

Choice = tuple[str, Parameters | Mapping[str, Any] | None]
"""A backend and its options."""

ALL: tuple[Choice, ...] = tuple((backend, None) for backend in BACKENDS)


class Comparison:
    """Backends that transform the same numbers. The constructor compiles them, `advance` measures them."""

    def __init__(
        self,
        storage: FieldStorage[Any],
        fill: Callable[[], object],
        *,
        backends: Sequence[Choice] = ALL,
        axes: tuple[int, ...] = (ROWS, COLUMNS),
        inverse: bool = True,
        clock: Clock | None = None,
        rounds: int = ROUNDS,
        transfers: bool = False,
    ) -> None:
        """Compile the backends. `fill` writes the input into the storage, which the comparison owns from now on.

        With `transfers`, upload, transform and read back are timed too.
        """
        chosen = [(name, validated_options(name, options)) for name, options in backends]
        self.ctx: moderngl.Context = storage.ctx
        self.storage = storage
        self.axes, self.inverse = axes, inverse
        self._lengths = [storage.length(axis) for axis in axes]
        self.stopwatch = Stopwatch(self.ctx, clock)
        self.plans: dict[Measurement, FFTPlan] = {}
        self.options: dict[Measurement, Parameters] = {}
        self.candidates: list[Candidate] = []
        self.rows: list[Measurement] = []
        self._others: list[FieldStorage[Any]] = []  # storages of duplicates
        self.reached = Reached(0.0)
        self._rounds = rounds
        self._steps: Iterator[Reached] | None = None
        self._fill, self._transfers = fill, transfers
        try:
            for name, options in chosen:
                self._add(name, options)
        except Exception:
            self.release()
            raise

    def _add(self, name: str, options: Parameters) -> None:
        result = Measurement(name)
        self.rows.append(result)
        backend = BACKENDS[name]
        self.options[result] = options
        result.error_limit = max(backend.error_limit(length, options, self.storage.double) for length in self._lengths)
        result.obstacle = first_obstacle(self.ctx, (name, options), self._lengths)
        if result.obstacle is None:
            try:
                made = self._plan(name, options, self.storage)
            except FFTError as error:  # obstacles that only the storage shows, such as no memory for padded lines
                result.obstacle = str(error)
                return
            self.add(result, made)

    def _plan(self, name: str, options: Parameters, storage: FieldStorage[Any]) -> FFTPlan:
        return plan(self.ctx, name, storage, options, 1 / sqrt(prod(self._lengths)), self.axes)

    def duplicate_of(self, candidate: Candidate) -> Candidate:
        """Return a second candidate for the same backend, with a plan and a storage of its own.

        Times depend on where data lie in memory. The duplicate of a library shares its storage.
        """
        duplicate = candidate.again()
        options = self.options.get(candidate.result)
        if options is None:
            return duplicate
        storage = self.storage.another()
        self._others.append(storage)
        made = self.plans[duplicate.result] = self._plan(duplicate.result.name, options, storage)
        run = made.inverse if self.inverse else made.forward
        return replace(duplicate, fill=lambda: storage.write(self.input), run=run, read=storage.read)

    def add(
        self,
        result: Measurement,
        made: FFTPlan,
        expected: Callable[[], NDArray[Any]] | None = None,
        competes: bool = True,
    ) -> None:
        """Add a plan as a candidate. Its result is checked against `expected`, by default the transform."""
        steps = made.passes()
        result.dispatches = sum(step.dispatches for step in steps)
        result.bytes = sum(step.bytes_moved for step in steps)
        run = made.inverse if self.inverse else made.forward

        def whole() -> None:
            self.storage.upload(self.elements)
            run()
            self.storage.download(self.result_elements)

        self.plans[result] = made
        self.candidates.append(
            Candidate(
                result,
                self.stopwatch,
                self._fill,
                run,
                self.storage.read,
                expected or (lambda: self.expected),
                whole if self._transfers else None,
                idles=result.dispatches == 0,
                competes=competes,
            )
        )

    def add_copy(self) -> Measurement:
        """Add a copy of the data, which does not compete, as a candidate; return its result."""
        result = Measurement("copy", error_limit=0.0)
        self.add(result, FFTPlan((CopyKernel(self.storage),)), lambda: self.input, competes=False)
        return result

    @cached_property
    def input(self) -> NDArray[Any]:
        self._fill()
        return self.storage.read()

    @cached_property
    def elements(self) -> NDArray[Any]:
        return pack(self.input, self.storage.packed, self.storage.dtype)

    @cached_property
    def result_elements(self) -> NDArray[Any]:
        return self.storage.empty_elements()

    @cached_property
    def expected(self) -> NDArray[Any]:
        """The unitary transform of the input by scipy in float64, on all cores."""
        import scipy.fft

        transform = scipy.fft.ifftn if self.inverse else scipy.fft.fftn
        x, axes = self.input.astype(np.complex128), [-1 - axis for axis in self.axes]
        found: NDArray[Any] = transform(x, axes=axes, norm="ortho", workers=usable(), overwrite_x=True)
        return found

    def taken_by_auto(self) -> dict[str, Any]:
        """Return the options of the backend that `auto` chooses here as text, and whether they come from tuning."""
        lines = zip(self._lengths, self.axes, strict=True)
        chosen = (options_text(Auto.choose(self.storage, length, axis)[1]) for length, axis in lines)
        tuned = any(Auto.tuned(self.storage, length) for length in self._lengths)
        return {"chosen": " and ".join(dict.fromkeys(filter(None, chosen))), "tuned": tuned}

    def advance(self) -> bool:
        """Check a backend, warm up for a moment, or measure every backend once. Return False after the last round."""
        if self._steps is None:
            self.expected  # noqa: B018 -- computed before anything is timed
            self._steps = measure(self.candidates, self._rounds)
        self.reached = next(self._steps, Reached(1.0))
        return self.reached.share < 1.0

    def run(self) -> list[Measurement]:
        while self.advance():
            continue
        return self.rows

    def release(self) -> None:
        for made in self.plans.values():
            made.release()
        for storage in (self.storage, *self._others):
            storage.release()
        self.stopwatch.release()


def first_obstacle(ctx: moderngl.Context, choice: Choice, lengths: Iterable[int]) -> str | None:
    """Return why a backend can't transform one of these lengths on this GPU, or None if it can transform all."""
    name, options = choice
    chosen = validated_options(name, options)
    return next(filter(None, (obstacle(ctx, name, length, chosen) for length in lengths)), None)


def options_text(options: Parameters) -> str:
    """Return the options that are not defaults, as key=value separated by spaces."""
    return " ".join(f"{key}={value}" for key, value in options.model_dump(exclude_defaults=True).items())


class CopyKernel(PlaneTransform[KernelOptions]):
    summary = "Copies the data."
    invocations = 256  # per work group

    def __init__(self, fields: FieldStorage[Any], stride: int = 1) -> None:
        width, lines = (1 << (size - 1).bit_length() for size in (fields.width, fields.lines(ROWS)))
        across = min(lines, self.invocations // min(width, 16))  # few invocations idle if lines are short or few
        self.group = self.invocations // across, across
        super().__init__(fields, ROWS, KernelOptions(twiddles="computed"), 1.0)
        self._kernel = self.compile("fft/copy.comp", WRITES_FRONT=0, STRIDE=stride)

    def run(self, inverse: bool) -> None:
        self.set(self._kernel, inverse)
        self.dispatch_along(self._kernel, self.size)


KERNEL_CLOCKS: dict[Clock, str] = {"gpu": "GPU timestamps", "wall": "wall clock, the GPU drained before and after"}

LONG_MS = 2000.0
"""Time [ms] from which a transform is measured once, so that measuring takes no more than a minute."""
RUNS, WHOLE_RUNS, LONG_RUNS = 13, 7, 2
"""Runs of a transform, its runs with transfers, and runs of a long transform."""


@dataclass(frozen=True)
class TimedTransform:
    """A transform and its times in milliseconds: medians of several warm runs, or the times of one warm run."""

    result: NDArray[Any]
    transforms: tuple[AxisTransform[Any], ...]  # released; their properties remain valid
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
    """Transform complex fields of shape (fields, height, width) along rows and columns with numpy's scale, and time it.

    A transform that takes longer than LONG_MS runs once, any other several times. The fields set the precision. An axis
    with a single element is skipped. `ran` is called after each transform with transfers.
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
        # Each run transforms the result of the previous run; a unitary transform keeps the magnitude.
        unitary = plan(ctx, backend, storage, options, 1 / sqrt(elements), axes)
        owned.callback(unitary.release)
        kernels = stopwatch.measure(unitary.inverse if inverse else unitary.forward)
        kernels_ms, total_ms, numpy_ms = medians(kernels, measure_wait(whole), host)
        return TimedTransform(result, exact.transforms, stopwatch.clock, kernels_ms, total_ms, numpy_ms, False)
