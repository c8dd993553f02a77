"""Timestamps of few bits wrap: during a pass, a frame, between frames, and between readings of both clocks."""

from types import SimpleNamespace
from unittest.mock import MagicMock, patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ocean.gpu import timing
from ocean.gpu.passes import Pass, run_passes
from ocean.gpu.timing import EPOCH, PassTimers, Stopwatch, try_clocks

BITS = 36  # of Intel's graphics under Mesa
RANGE = 1 << BITS
AHEAD = 123_456_789_012_345  # ns by which the GPU's clock is ahead of the CPU's


class Machine:
    """A CPU and a GPU with exact clocks, and the GPU's entry points for them. A query needs no time."""

    def __init__(self, now=0, bits=BITS, lag=0):
        self.now, self.bits, self.lag = now, bits, lag  # ns of the CPU; bits; ns by which the GPU is late
        self.queries, self.epochs = {}, 0

    def read(self, late=0):
        return (self.now + AHEAD + late) & ((1 << self.bits) - 1)

    def sleep(self, nanoseconds):
        self.now += nanoseconds

    def installed(self):
        """Return the patch with which passes are timed by this machine's clocks."""
        clock = SimpleNamespace(perf_counter=lambda: 1e-9 * self.now)
        return patch.multiple(
            timing, gl_function=self.gl_function, gl_number=self.gl_number, gl_query=self.gl_query, time=clock
        )

    def gl_function(self, ctx, name, *_):
        def generate(count, ids):
            ids[:] = range(len(self.queries) + 1, len(self.queries) + count + 1)
            self.queries |= dict.fromkeys(ids, 0)

        record = lambda one, _: self.queries.__setitem__(one, self.read(self.lag))  # noqa: E731
        return {"glGenQueries": generate, "glQueryCounter": record}.get(name, lambda *_: None)

    def gl_query(self, ctx, query, *_):
        return lambda *arguments: self.gl_number(ctx, query, *arguments)

    def gl_number(self, ctx, query, one, *_):
        self.epochs += query == "glGetInteger64v"
        numbers = {"glGetQueryiv": self.bits, "glGetQueryObjectiv": 1, "glGetInteger64v": self.read()}
        return numbers[query] if query in numbers else self.queries[one]


LAST = RANGE - AHEAD % RANGE  # ns of the CPU at which the GPU's clock wraps for the first time
SHORT, LONG = st.integers(0, 20 * 10**9), st.integers(0, 300 * 10**9)


@example(LAST - 5_000_000, 0, BITS, [(0, [10_000_000, 1])])  # wraps during a pass
@example(LAST - 5_000_000, 0, BITS, [(0, [5_000_000, 1])])  # between passes
@example(LAST - 5_000_000, 0, BITS, [(0, [1]), (10_000_000, [1])])  # between frames
@example(LAST - 5_000_000, 10_000_000, BITS, [(0, [1])])  # between the CPU's commands and the GPU's work
@example(0, 0, BITS, [(0, [1]), (300 * 10**9, [1])])  # several times between two frames
@given(
    begin=st.integers(0, 2 * LAST),
    lag=st.integers(-1000, 30 * 10**9),
    bits=st.sampled_from((BITS, 48, 64)),
    frames=st.lists(st.tuples(LONG, st.lists(SHORT, min_size=1, max_size=4)), min_size=1, max_size=12),
)
def test_passes_have_their_duration_and_their_start_wherever_the_clock_wraps(begin, lag, bits, frames):
    machine = Machine(begin, bits, lag)
    found, starts = [], []
    with machine.installed():
        timers = PassTimers(None, "gpu")
        for index, (pause, durations) in enumerate(frames):
            machine.sleep(pause)
            timers.begin(index)
            timers.start()
            for number, duration in enumerate(durations):
                starts.append(machine.now)
                machine.sleep(duration)
                timers.lap(str(number))
            timers.end()
            found += timers.collect()
    assert [[round(1e6 * one.gpu_ms) for one in frame.passes.values()] for frame in found] == [d for _, d in frames]
    begun = [one.gpu_start for frame in found for one in frame.passes.values()]
    assert begun == pytest.approx([1e-9 * (start + lag) for start in starts], abs=1e-6)


def test_both_clocks_are_read_again_because_they_drift():
    machine = Machine()
    with machine.installed():
        timers = PassTimers(None, "gpu")
        for index in range(100):
            machine.sleep(10**9)
            timers.begin(index)
            timers.start()
            timers.lap("pass")
            timers.end()
            timers.collect()
    assert 100 / EPOCH - 1 <= machine.epochs <= 100 / EPOCH + 1


def test_a_frame_of_many_parts_is_timed_whole(ctx, releasing):
    def run():
        yield from range(3 * PassTimers.POINTS)

    timers = releasing(PassTimers(ctx, "gpu"))
    timers.begin(0)
    run_passes(ctx, [Pass("parts", run), Pass("last", lambda: None)], timers)
    timers.end()
    ctx.finish()
    (frame,) = timers.collect()
    assert list(frame.passes) == ["parts", "last"]


def test_without_bits_there_are_no_timestamps():
    with patch.object(timing, "is_software", lambda ctx: False), Machine(bits=0).installed():
        trial = try_clocks(None)
    assert (trial.clock, trial.reason) == ("wall", "This driver has no GPU timestamps (GL_QUERY_COUNTER_BITS is 0)")


def test_the_pace_keeper_does_not_idle_across_the_wrap(ctx):
    """Its fixed work takes 3 ms of the GPU's time, wherever that begins."""
    machine = Machine(LAST - 10_000_000)
    with machine.installed(), patch.object(timing, "time", SimpleNamespace(perf_counter=lambda: 1e-9 * machine.now)):
        watch = Stopwatch(ctx, "gpu")
        watch._busy = MagicMock()
        watch._busy.run.side_effect = lambda _: machine.sleep(3_000_000)
        assert len({watch.rate() for _ in range(8)}) == 1
        watch._wake()  # learns the rate
        machine.sleep(LAST + RANGE - 1_000_000 - machine.now)
        begun = machine.now
        watch._wake()
        assert machine.now - begun == 3_000_000
        watch.release()
