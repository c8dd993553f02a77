"""Timing of repeated work at the full clock of the GPU: by the trusted clock, or by the wall clock for a caller's wait.

An idle GPU lowers its clock, some within two seconds and to a quarter (docs/measurements/trials.md). Few short runs
with pauses of the CPU count as idling. Continuous work raises the clock again within half a second. So measurements
keep the GPU busy and check its clock each time.
"""

import time
from collections.abc import Callable, Iterator
from statistics import median

import moderngl

from ocean.gpu.bindings import Storage
from ocean.gpu.context import drain
from ocean.gpu.shaders import shader_library
from ocean.gpu.timing import Clock, TimestampQueries, try_clocks

SECONDS = 1.0  # longest time that a GPU takes to raise its clock
AWAKE = 0.9  # fraction of the fastest rate so far; the clock of a warm GPU varies by less


class Pace:
    """The speed of fixed work on a device. `rate` does some and returns its speed; 0: no clock needs to rise."""

    def __init__(self, rate: Callable[[], float]) -> None:
        self._rate, self._fastest = rate, 0.0

    def keep(self) -> Iterator[None]:
        """Do fixed work, and yield between its parts, until it runs at the fastest rate so far.

        The work ends after SECONDS at most, because at first the fastest rate is unknown, and other work may slow the
        device. The fastest rate of these seconds then replaces the former one.
        """
        end, seen = time.perf_counter() + SECONDS, 0.0
        while rate := self._rate():
            if self._fastest and rate >= AWAKE * self._fastest:
                self._fastest = max(rate, self._fastest)
                return
            seen = max(rate, seen)
            if time.perf_counter() >= end:
                self._fastest = seen
                return
            yield


BATCH_MS = {"gpu": 1.0, "wall": 5.0}
"""Minimum time of one measurement by clock: long compared with the resolution of the clock."""

MOST_REPEATS = 256
HEAD_START, MOST_HEAD_START = 1.5, 50.0  # factor on the time to submit; bound [ms]
"""Length of the fixed work before a measurement. While the GPU does this work, the CPU submits the runs, so that the
GPU does not wait for the CPU. The time to submit is reported separately."""

BUSY_GROUPS, LEAST_BUSY, MOST_BUSY = 64, 1 << 14, 1 << 22  # work groups of the fixed work; its iterations
LOOK = 1 << 18  # iterations that measure the GPU's clock: a few milliseconds

TRIALS = 3  # trials to find the number of runs: other work may slow one of them
ROUNDS, PATIENCE = 11, 2.0  # measurements of a median; seconds after which three measurements are enough


class Stopwatch:
    def __init__(self, ctx: moderngl.Context, clock: Clock | None = None) -> None:
        self.ctx = ctx
        self.clock: Clock = clock or try_clocks(ctx).clock
        self._queries = TimestampQueries(ctx, 4)  # two around the timed work, two around the fixed work before it
        self._busy = shader_library(ctx).compute("common/busy.comp")
        self._sink = ctx.buffer(reserve=4 * 64 * BUSY_GROUPS)
        self.iterations = 0  # iterations of the last fixed work
        self._submit_ms: dict[Callable[[], object], float] = {}  # times of the last measurement
        self._pace = Pace(self.rate)

    def time(self, run: Callable[[], object], repeats: int = 1) -> tuple[float, float]:
        """Return the mean time of a run [ms] over `repeats` in a row, and the time to submit it [ms]."""
        self.head_start(repeats * self._submit_ms.get(run, 0.0))
        self._queries.record(0)
        start = time.perf_counter()
        for _ in range(repeats):
            run()
        submitted = time.perf_counter()
        self._queries.record(1)
        drain(self.ctx)
        wall = time.perf_counter() - start
        gpu = self._queries.between(0, 1) * 1e-9
        self._submit_ms[run] = (submitted - start) * 1e3 / repeats
        return (gpu if self.clock == "gpu" else wall) * 1e3 / repeats, self._submit_ms[run]

    def head_start(self, submit_ms: float) -> None:
        """Drain the GPU. With its clock, queue fixed work that lasts longer than submitting the timed work."""
        drain(self.ctx)
        if self.clock != "gpu":
            return
        wanted_ms = min(HEAD_START * submit_ms, MOST_HEAD_START)
        self._work(min(max(LEAST_BUSY, int(wanted_ms * self._work_rate())), MOST_BUSY))

    def _work(self, iterations: int) -> None:
        self.iterations = iterations
        self._queries.record(2)
        self._busy["iterations"] = iterations
        self._sink.bind_to_storage_buffer(Storage.SINK)
        self._busy.run(BUSY_GROUPS)
        self.ctx.memory_barrier()
        self._queries.record(3)

    def _work_rate(self) -> float:
        if not self.iterations:
            return 0.0
        busy_ms = self._queries.between(2, 3) * 1e-6
        return self.iterations / max(busy_ms, 1e-3)

    def rate(self) -> float:
        """Return the iterations of fixed work per millisecond, which follow the GPU's clock; 0 with the wall clock."""
        if self.clock != "gpu":
            return 0.0
        self._work(LOOK)
        drain(self.ctx)
        return self._work_rate()

    def enough(self, run: Callable[[], object]) -> int:
        """Warm up, and return the number of runs in a row that take long enough to be timed."""
        return enough(lambda repeats: self.time(run, repeats)[0] * repeats, BATCH_MS[self.clock])

    def measure(self, run: Callable[[], object]) -> Callable[[], float]:
        """Return a function that measures a run in milliseconds, warm and at full clock."""

        def again() -> float:
            self._wake()
            return self.time(run, repeats)[0]

        self._wake()
        repeats = self.enough(run)
        return again

    def _wake(self) -> None:
        for _ in self._pace.keep():
            pass

    def release(self) -> None:
        self._queries.release()
        self._sink.release()
        self._submit_ms.clear()


def measure_wait(run: Callable[[], object]) -> Callable[[], float]:
    """Return a function that measures a caller's wait for a warm run [ms], by the wall clock."""

    def batch(repeats: int) -> float:
        start = time.perf_counter()
        for _ in range(repeats):
            run()
        return (time.perf_counter() - start) * 1e3

    repeats = enough(batch, BATCH_MS["wall"])
    return lambda: batch(repeats) / repeats


def enough(batch: Callable[[int], float], least: float, most: int = MOST_REPEATS) -> int:
    """Return the number of runs in a row that take `least` milliseconds, at most `most`. `batch` returns the time [ms]
    of a number of runs. The shortest time of several trials counts."""
    repeats = 1
    while repeats < most and any(batch(repeats) < least for _ in range(TRIALS)):
        repeats *= 2
    return repeats


def medians(*measurements: Callable[[], float]) -> list[float]:
    """Return the median of each measurement over ROUNDS, or over three or more after PATIENCE seconds. The measurements
    take turns, so that a temporary slowdown of the machine affects all of them."""
    samples: list[list[float]] = []
    end = time.perf_counter() + PATIENCE
    while len(samples) < ROUNDS and (len(samples) < 3 or time.perf_counter() < end):
        samples.append([measure() for measure in measurements])
    return [median(column) for column in zip(*samples, strict=True)]
