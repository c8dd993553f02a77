"""Clocks: each frame's passes are timed, nothing waits, and a wrong clock is detected."""

import time
from types import SimpleNamespace

import pytest

from ocean.gpu import timing
from ocean.gpu.passes import Pass, each_pass, run_passes
from ocean.gpu.shaders import FullscreenTriangle
from ocean.gpu.timing import ClockTrial, PassTimers, TimestampQueries, try_clocks


@pytest.fixture(params=["wall", "gpu"])
def timers(ctx, releasing, request):
    return releasing(PassTimers(ctx, request.param))


def run_frames(ctx, timers, passes, count):
    for index in range(count):
        timers.begin(index)
        run_passes(ctx, passes, timers)
        timers.end()
        ctx.finish()


def test_every_pass_of_every_frame_is_timed(ctx, timers):
    ran = []
    passes = [Pass("first", lambda: ran.append("first")), Pass("second", lambda: ran.append("second"))]
    run_frames(ctx, timers, passes, 20)
    frames = timers.collect()
    assert ran == ["first", "second"] * 20
    assert [frame.index for frame in frames] == list(range(20))
    assert all(list(frame.passes) == ["first", "second"] for frame in frames)
    assert all(time.cpu_ms >= 0 and time.gpu_ms >= 0 for frame in frames for time in frame.passes.values())
    assert timers.collect() == []


def test_parts_of_a_pass_are_its_time_and_other_work_between_them_is_not(ctx, timers, monkeypatch):
    now = 0.0
    monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=lambda: now))

    def work(seconds):
        nonlocal now
        now += seconds

    def run():
        work(0.02)
        yield
        work(0.03)

    timers.begin(0)
    for step in each_pass(ctx, [Pass("parts", run)], timers):
        assert step == ("parts", 1, 1, None)
        work(0.2)
        timers.start()
    timers.end()
    ctx.finish()
    (frame,) = timers.collect()
    assert frame.passes["parts"].cpu_ms == pytest.approx(50)
    assert timers.clock == "gpu" or frame.gpu_ms == pytest.approx(50)


@pytest.mark.parametrize("clock", ["wall", "gpu"])
def test_a_sampled_clock_times_only_some_frames(ctx, releasing, clock):
    """The first of every few frames is timed, so that times are there at once."""
    timers = releasing(PassTimers(ctx, clock, every=3))
    run_frames(ctx, timers, [Pass("pass", lambda: None)], 9)
    assert [frame.index for frame in timers.collect()] == [0, 3, 6]


def test_only_the_oldest_answer_is_asked_for_once_per_timed_frame(ctx, monkeypatch):
    timers, asked = PassTimers(ctx, "gpu", every=3), []
    monkeypatch.setattr(TimestampQueries, "ready", lambda self, index: asked.append(self))
    for index in range(9):
        run_frames(ctx, timers, [Pass("pass", lambda: None)], 1)
        assert timers.collect() == []
        assert len(asked) == (index + 1) // 3
    assert len(set(asked)) == 1
    timers.release()


def test_a_software_renderer_has_the_wall_clock_without_a_trial(ctx, monkeypatch):
    monkeypatch.setattr(timing, "is_software", lambda ctx: True)
    monkeypatch.setattr(timing, "TimestampQueries", None)
    trial = try_clocks(ctx)
    assert trial.clock == "wall"
    assert "software" in trial.reason


def test_a_full_ring_skips_a_frame_rather_than_wait(ctx, releasing, monkeypatch):
    timers = releasing(PassTimers(ctx, "gpu"))
    monkeypatch.setattr(TimestampQueries, "ready", lambda self, index: False)
    run_frames(ctx, timers, [Pass("pass", lambda: None)], 20)
    assert timers.collect() == []
    assert timers.missed == 12
    monkeypatch.undo()
    assert [frame.index for frame in timers.collect()] == list(range(8))


def test_a_clock_that_disagrees_is_not_believed():
    assert ClockTrial(gpu_ms=5.1, wall_ms=5.0).clock == "gpu"
    assert ClockTrial(gpu_ms=0.001, wall_ms=64.0).clock == "wall"
    assert ClockTrial(gpu_ms=7.0, wall_ms=5.0).clock == "wall"
    assert "disagree" in ClockTrial(gpu_ms=7.0, wall_ms=5.0).reason


def test_the_trial_is_long_enough_to_tell(ctx, monkeypatch):
    """An iteration takes a microsecond here."""
    now = 0.0

    def draw(triangle, program):
        nonlocal now
        now += 1e-6 * program["iterations"].value

    monkeypatch.setattr(timing, "is_software", lambda ctx: False)
    monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=lambda: now))
    monkeypatch.setattr(FullscreenTriangle, "draw", draw)
    assert 2.0 <= try_clocks(ctx, target_ms=2.0).wall_ms < 10.0


def test_starts_are_on_the_host_s_clock_and_in_order(ctx, timers):
    """llvmpipe's timestamps are wrong about when work ran, but right about when it was queued."""
    passes = [Pass("first", lambda: time.sleep(0.002)), Pass("second", lambda: time.sleep(0.002))]
    before = time.perf_counter()
    run_frames(ctx, timers, passes, 3)
    after = time.perf_counter()
    slack = 1.0  # of reading two clocks, one after the other, on a busy machine
    for frame in timers.collect():
        first, second = frame.passes.values()
        for begin, ms, other in (
            (first.cpu_start, first.cpu_ms, second.cpu_start),
            (first.gpu_start, first.gpu_ms, second.gpu_start),
        ):
            assert before - slack <= begin
            assert begin + ms * 1e-3 <= other + 1e-6
            assert other <= after + slack
