"""How long work takes, again and again until it can be timed: by the clock to believe, or for a caller who waits."""

import time
from collections.abc import Callable
from statistics import median

import moderngl

from ocean.gpu.timing import Clock, TimestampQueries, choose_clock

BATCH_MS = {"gpu": 1.0, "wall": 5.0}
"""Least time that one measurement takes, by clock: long against the clock's own grain."""

WAKE_SECONDS = 0.5
"""How long a GPU is kept busy before it is measured: one that idles lowers its clock."""

ROUNDS, PATIENCE = 11, 2.0
"""Measurements that a median is of, and the seconds after which three are enough."""


class Stopwatch:
    """Times work on the GPU of one context."""

    def __init__(self, ctx: moderngl.Context, clock: Clock | None = None) -> None:
        self.ctx = ctx
        self.clock: Clock = clock or choose_clock(ctx)
        self._queries = TimestampQueries(ctx, 2)

    def time(self, run: Callable[[], object], repeats: int = 1) -> tuple[float, float]:
        """Milliseconds that a run takes, of so many in a row, and to submit."""
        self.ctx.finish()
        self._queries.record(0)
        start = time.perf_counter()
        for _ in range(repeats):
            run()
        submitted = time.perf_counter()
        self._queries.record(1)
        self.ctx.finish()
        wall = time.perf_counter() - start
        gpu = (self._queries.nanoseconds(1) - self._queries.nanoseconds(0)) * 1e-9
        return (gpu if self.clock == "gpu" else wall) * 1e3 / repeats, (submitted - start) * 1e3 / repeats

    def enough(self, run: Callable[[], object]) -> int:
        """How many runs in a row take long enough to be timed; also warms them up."""
        repeats = 1
        while repeats < 1024 and self.time(run, repeats)[0] * repeats < BATCH_MS[self.clock]:
            repeats *= 2
        return repeats

    def wake(self, run: Callable[[], object]) -> None:
        """Keep the GPU busy for a while, where its clock is the one that counts."""
        end = time.perf_counter() + WAKE_SECONDS
        while self.clock == "gpu" and time.perf_counter() < end:
            run()
            self.ctx.finish()

    def measure(self, run: Callable[[], object]) -> Callable[[], float]:
        """A measurement in milliseconds, awake and warm, to be made again and again."""
        self.wake(run)
        repeats = self.enough(run)
        return lambda: self.time(run, repeats)[0]

    def release(self) -> None:
        self._queries.release()


def measure_wait(run: Callable[[], object]) -> Callable[[], float]:
    """A measurement of the milliseconds that a caller waits for a run, warm, by the wall clock."""

    def batch() -> float:
        start = time.perf_counter()
        for _ in range(repeats):
            run()
        return (time.perf_counter() - start) * 1e3

    repeats = 1
    while repeats < 1024 and batch() < BATCH_MS["wall"]:
        repeats *= 2
    return lambda: batch() / repeats


def medians(*measurements: Callable[[], float]) -> list[float]:
    """The median of each over ROUNDS, or over at least three where those would take longer than PATIENCE. They are made
    in turn, so that what slows the machine for a while slows all of them."""
    samples: list[list[float]] = []
    end = time.perf_counter() + PATIENCE
    while len(samples) < ROUNDS and (len(samples) < 3 or time.perf_counter() < end):
        samples.append([measure() for measure in measurements])
    return [median(column) for column in zip(*samples, strict=True)]
