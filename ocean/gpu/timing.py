"""Clocks for passes: GPU timestamps in a ring that never blocks, or the wall clock if the GPU's clock is wrong.
Stopwatches for repeated work at the full clock of the GPU.

Timestamps (GL_TIMESTAMP) nest and can be polled, unlike moderngl's elapsed-time queries. Their number of bits depends
on the driver: 36 on Intel under Mesa, where times wrap every 68.7 s. So times are subtracted modulo their range.
Software renderers record timestamps when the command is queued instead of when it runs. So `try_clocks` measures a
known mix of work by both clocks and trusts the GPU's only if they agree. Every time is shown with its clock's name.
"""

import ctypes
import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Literal, NamedTuple

import moderngl

from ocean.common.records import Kind, Measured, sampled
from ocean.gpu.bindings import Storage
from ocean.gpu.context import drain, gl_function, gl_number, gl_query, is_software, release_framebuffer
from ocean.gpu.passes import Pass
from ocean.gpu.shaders import CORNERS, FullscreenTriangle, shader_library

Clock = Literal["gpu", "wall"]
GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, GL_QUERY_RESULT, GL_QUERY_RESULT_AVAILABLE = 0x8E28, 0x8864, 0x8866, 0x8867
EPOCH = 10.0  # s after which the offset between the clocks of GPU and CPU is read again, because they drift
AGREEMENT = 0.2  # largest relative difference between the clocks if the GPU's is right
TRIALS = 4  # trials of both clocks until they agree
LIVE, OFTEN = 8, 2  # a window times every eighth frame, and every second one with quality automatic
SOON = 8  # first frames after a change, all of which a window times
RING = 8  # frames in flight; a frame that finds the ring full is not timed, so that nothing waits


def timestamp_bits(ctx: moderngl.Context) -> int:
    """Return the number of bits of a timestamp, beyond which it wraps; 0 if the driver has none."""
    return gl_number(ctx, "glGetQueryiv", GL_TIMESTAMP, GL_QUERY_COUNTER_BITS)


class TimestampQueries:
    """GL_TIMESTAMP queries, through entry points that moderngl does not wrap. Points beyond `count` add queries."""

    def __init__(self, ctx: moderngl.Context, count: int) -> None:
        self.ctx, self._count, self.ids = ctx, count, list[int]()
        self._counter = gl_function(ctx, "glQueryCounter", None, ctypes.c_uint, ctypes.c_uint)
        self._state = gl_query(ctx, "glGetQueryObjectiv", 2)
        self._value = gl_query(ctx, "glGetQueryObjectui64v", 2, ctypes.c_uint64)
        self._clock = gl_query(ctx, "glGetInteger64v", 1, ctypes.c_int64)
        self.range = 1 << timestamp_bits(ctx)
        self._add()

    def _add(self) -> None:
        made = (ctypes.c_uint * self._count)()
        gl_function(self.ctx, "glGenQueries", None, ctypes.c_int, ctypes.POINTER(ctypes.c_uint))(self._count, made)
        self.ids += made

    def record(self, index: int) -> None:
        """Let the GPU record its time when it reaches this point."""
        if index >= len(self.ids):
            self._add()
        self._counter(self.ids[index], GL_TIMESTAMP)

    def ready(self, index: int) -> bool:
        """Return whether the result is available, without waiting."""
        return bool(self._state(self.ids[index], GL_QUERY_RESULT_AVAILABLE))

    def nanoseconds(self, index: int) -> int:
        """Return the GPU's time at a point, modulo the clock's range; waits if it is not available yet."""
        return self._value(self.ids[index], GL_QUERY_RESULT)

    def between(self, first: int, last: int) -> int:
        """Return the nanoseconds from one point to a later one, within the clock's range; waits like `nanoseconds`."""
        return (self.nanoseconds(last) - self.nanoseconds(first)) % self.range

    def epoch(self) -> tuple[float, int]:
        """Return `time.perf_counter` [s] and the GPU's clock [ns], read together without waiting for the GPU."""
        now = self._clock(GL_TIMESTAMP)
        return time.perf_counter(), now

    def release(self) -> None:
        delete = gl_function(self.ctx, "glDeleteQueries", None, ctypes.c_int, ctypes.POINTER(ctypes.c_uint))
        delete(len(self.ids), (ctypes.c_uint * len(self.ids))(*self.ids))
        self.ids = []


class PassTime(NamedTuple):
    """The times of one pass [ms]: on the GPU (or by the wall clock, drained), and to submit on the CPU.

    Both starts are seconds of `time.perf_counter`. The error of the GPU's start is that of the last reading of its
    clock, up to `EPOCH` seconds before, and the drift since then.
    """

    gpu_ms: float
    cpu_ms: float
    gpu_start: float = 0.0
    cpu_start: float = 0.0


@dataclass
class FrameTimes:
    """The times of one frame's passes by name, in the order in which they ran."""

    index: int
    passes: dict[str, PassTime] = field(default_factory=dict)
    time: float = 0.0  # time of the sea [s]
    clock: Clock = field(default="gpu", kw_only=True)
    reference: Collection[str] = field(default=(), kw_only=True)  # passes that the sums leave out
    wall_ms: float = field(default=0.0, kw_only=True)  # time until the GPU was drained; 0 if it was not

    def add(self, name: str, time: PassTime) -> None:
        """Add the time of a pass, or of another part of it."""
        gpu_ms, cpu_ms, *starts = self.passes.get(name, PassTime(0.0, 0.0, time.gpu_start, time.cpu_start))
        self.passes[name] = PassTime(gpu_ms + time.gpu_ms, cpu_ms + time.cpu_ms, *starts)

    @property
    def whole(self) -> dict[str, float | str]:
        """Values of the frame as a whole, by the names of their columns in a table. `clock` is that of `gpu_ms`."""
        times = {"gpu_ms": self.gpu_ms, "cpu_ms": self.cpu_ms}
        whole = {"wall_ms": self.wall_ms} if self.wall_ms else {}
        return {"frame": self.index, "time_s": self.time, "clock": self.clock, **times, **whole}

    @property
    def gpu_ms(self) -> float:
        return sum(p.gpu_ms for name, p in self.passes.items() if name not in self.reference)

    @property
    def cpu_ms(self) -> float:
        return sum(p.cpu_ms for name, p in self.passes.items() if name not in self.reference)


def by_pass(frames: Iterable[FrameTimes]) -> dict[str, list[PassTime]]:
    """Return the times of each pass, frame by frame. Passes are in the order of their first run."""
    times: dict[str, list[PassTime]] = {}
    for frame in frames:
        for name, one in frame.passes.items():
            times.setdefault(name, []).append(one)
    return times


def measured(
    name: str,
    times: Sequence[PassTime] | Sequence[FrameTimes],
    clock: Clock,
    kind: Kind = "pass",
    dispatches: int = 0,
    moved: int = 0,
) -> Measured:
    """Return the row of a frame or a pass, with its dispatches and the bytes that it moves (0: unknown)."""
    found = sampled([round(time.gpu_ms, 6) for time in times])
    return Measured(
        name=name,
        kind=kind,
        clock=clock,
        submit_us=1e3 * median(time.cpu_ms for time in times),
        dispatches=dispatches or None,
        bytes=moved or None,
        gb_per_s=1e-6 * moved / found["median_ms"] if moved and found["median_ms"] else None,
        repeats=1,
        **found,
    )


@dataclass
class _Slot:
    queries: TimestampQueries
    index: int = 0
    time: float = 0.0
    points: int = 0
    laps: list[tuple[str, int, float, float]] = field(default_factory=list)  # name, last point, CPU's start and end
    pending: bool = False

    def mark(self) -> None:
        self.queries.record(self.points)
        self.points += 1


class PassTimers:
    """Timers for the passes of each frame.

    Call `begin(index)`, then `start()` and a `lap(name)` after each pass, once or several times, then `end()`. After
    each frame, `collect()` returns the frames whose times have arrived since the last call, oldest first. With the GPU
    clock no call waits. A point between two passes ends one and begins the next, so a pass costs one query. The wall
    clock drains the GPU at each point, which delays the frame. One of `every` frames is timed.
    """

    POINTS = 64  # queries of a frame; frames of more passes or parts add some

    def __init__(self, ctx: moderngl.Context, clock: Clock | None = None, every: int = 1) -> None:
        self.ctx = ctx
        self.every, self._begun = every, 0
        self.clock: Clock = clock or try_clocks(ctx).clock
        slots = RING if self.clock == "gpu" else 0
        self._epoch = -math.inf, 0  # a recent time of both clocks [s], [ns]
        self._ring = [_Slot(TimestampQueries(ctx, self.POINTS)) for _ in range(slots)]
        self._next = 0
        self._since = 0.0
        self._slot: _Slot | None = None
        self._frame: FrameTimes | None = None
        self._done: list[FrameTimes] = []
        self.passes: dict[str, Pass] = {}  # all that have been timed, by their names in `FrameTimes`
        self.missed = 0  # frames without times because every slot was in flight

    def begin(self, index: int, time: float = 0.0) -> None:
        """Begin a frame by its number and the time of the sea [s]."""
        is_timed = self._begun % self.every == 0
        self._begun += 1
        if not is_timed:
            return
        if self.clock == "wall":
            self._frame = FrameTimes(index, time=time, clock=self.clock)
            return
        slot = self._ring[self._next]
        if slot.pending:
            self._poll()
        if slot.pending:
            self.missed += 1
            self._slot = None
            return
        slot.index, slot.time, slot.points, slot.laps = index, time, 0, []
        self._slot = slot

    def start(self) -> None:
        """Begin the next lap. The wall clock drains the GPU, here and at each lap."""
        if self._frame is not None:
            drain(self.ctx)
        elif self._slot is not None:
            self._slot.mark()
        self._since = time.perf_counter()

    def lap(self, name: str) -> None:
        """Record the time since the start or the last lap as the time of the pass `name`, or of a part of it."""
        since, submitted = self._since, time.perf_counter()
        if self._frame is not None:
            drain(self.ctx)
            self._since = time.perf_counter()
            spent = PassTime((self._since - since) * 1e3, (submitted - since) * 1e3, since, since)
            self._frame.add(name, spent)
        elif self._slot is not None:
            self._slot.mark()
            self._slot.laps.append((name, self._slot.points - 1, since, submitted))
            self._since = submitted

    def end(self) -> None:
        """End the frame. Its times arrive some frames later."""
        if self._frame is not None:
            self._done.append(self._frame)
            self._frame = None
        elif self._slot is not None:
            self._slot.pending = bool(self._slot.laps)
            self._slot = None
            self._next = (self._next + 1) % len(self._ring)

    def collect(self) -> list[FrameTimes]:
        """Return the frames whose times have arrived since the last call. The GPU is polled once per timed frame: a
        poll without a result costs as much CPU time as many passes."""
        if self._begun % self.every == 0:
            self._poll()
        done, self._done = self._done, []
        return done

    def _poll(self) -> None:
        for offset in range(len(self._ring)):
            slot = self._ring[(self._next + offset) % len(self._ring)]
            if not slot.pending:
                continue
            if not slot.queries.ready(slot.points - 1):
                return  # later frames are not ready either
            times = FrameTimes(slot.index, time=slot.time)
            points = [slot.queries.nanoseconds(index) for index in range(slot.points)]
            if time.perf_counter() - self._epoch[0] > EPOCH:
                self._epoch = slot.queries.epoch()
            (cpu, gpu), whole = self._epoch, slot.queries.range
            for name, last, since, submitted in slot.laps:
                gpu_ms = (points[last] - points[last - 1]) % whole * 1e-6
                # Of all times with these bits, the pass began at the one nearest to its submission.
                lag = (points[last - 1] - gpu - round(1e9 * (since - cpu)) + whole // 2) % whole - whole // 2
                times.add(name, PassTime(gpu_ms, (submitted - since) * 1e3, since + 1e-9 * lag, since))
            self._done.append(times)
            slot.pending = False

    def release(self) -> None:
        for slot in self._ring:
            slot.queries.release()
        self._ring.clear()


@dataclass(frozen=True)
class ClockTrial:
    """One measurement of the same work by both clocks [ms]."""

    gpu_ms: float = 0.0
    wall_ms: float = 0.0
    obstacle: str = ""  # sentence on the reason why the GPU's clock was not tried

    @property
    def clock(self) -> Clock:
        agree = not self.obstacle and abs(self.gpu_ms - self.wall_ms) <= AGREEMENT * self.wall_ms
        return "gpu" if agree else "wall"

    @property
    def reason(self) -> str:
        if self.obstacle:
            return self.obstacle
        verdict = "agree" if self.clock == "gpu" else "disagree"
        return f"GPU timestamps and the wall clock {verdict}: {self.gpu_ms:.2f} ms against {self.wall_ms:.2f} ms"


def try_clocks(ctx: moderngl.Context, target_ms: float = 5.0) -> ClockTrial:
    """Measure a dispatch, a draw and a dispatch by both clocks, long enough to make the cost of draining negligible.

    Some drivers time compute alone correctly and a mix with draws wrongly. A software renderer has the wall clock
    without a trial, because its timestamps may agree by chance, and so has a driver without timestamps.
    """
    if is_software(ctx):
        return ClockTrial(obstacle="A software renderer may record timestamps when commands are queued")
    if not timestamp_bits(ctx):
        return ClockTrial(obstacle="This driver has no GPU timestamps (GL_QUERY_COUNTER_BITS is 0)")
    library = shader_library(ctx)
    compute = library.compute("common/busy.comp")
    program = library.program(CORNERS, "common/busy.frag")
    sink = ctx.buffer(reserve=4 * 64 * 64)
    target = ctx.simple_framebuffer((64, 64))
    triangle = FullscreenTriangle(ctx)
    queries = TimestampQueries(ctx, 2)

    def run(iterations: int) -> ClockTrial:
        compute["iterations"] = program["iterations"] = iterations
        sink.bind_to_storage_buffer(Storage.SINK)
        target.use()
        drain(ctx)
        start = time.perf_counter()
        queries.record(0)
        compute.run(64)
        triangle.draw(program)
        compute.run(64)
        queries.record(1)
        drain(ctx)
        wall = (time.perf_counter() - start) * 1e3
        return ClockTrial(queries.between(0, 1) * 1e-6, wall)

    try:
        run(1)  # the first use of a program may compile
        iterations = 256
        while min(run(iterations).wall_ms for _ in range(2)) < target_ms and iterations < 1 << 24:
            iterations *= 4
        for _ in range(TRIALS):  # other work on the GPU may spoil a trial, but a wrong clock never agrees
            trial = run(iterations)
            if trial.clock == "gpu":
                break
        return trial
    finally:
        queries.release()
        release_framebuffer(target)
        triangle.release()
        sink.release()


# -- Repeated work -----------------------------------------------------------------------------------------------------

# An idle GPU lowers its clock, some within two seconds and to a quarter (docs/measurements/trials.md). A few short runs
# between pauses count as idle, too. Continuous work raises the clock again within half a second. So measurements of
# repeated work keep the GPU busy and check its clock each time.

SECONDS = 1.0  # longest time that a GPU takes to raise its clock
AWAKE = 0.9  # fraction of the fastest rate so far; the clock of a warm GPU varies by less


class Pace:
    """The speed of fixed work on a device. `rate` does some and returns its speed, or 0 if speed does not matter."""

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

RUN_TRIALS = 3  # trials to find the number of runs: other work may slow one of them
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
    while repeats < most and any(batch(repeats) < least for _ in range(RUN_TRIALS)):
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
