"""Times of work in milliseconds: enough of it, whatever else the machine does."""

from types import SimpleNamespace

import pytest

from ocean.gpu import timing
from ocean.gpu.timing import (
    BATCH_MS,
    LEAST_BUSY,
    MOST_REPEATS,
    Stopwatch,
    TimestampQueries,
    enough,
    measure_wait,
    medians,
)


@pytest.mark.parametrize("slow", [0, 1, 2])
def test_a_single_slow_trial_is_not_taken_for_long_work(slow):
    """The work takes 0.1 ms, and one trial of it comes when the machine is busy."""
    trials = []

    def batch(repeats):
        trials.append(repeats)
        return 50.0 if len(trials) == slow else 0.1 * repeats

    assert enough(batch, 5.0) == 64
    assert trials.count(64) == 3


def test_work_that_takes_no_time_has_a_limit():
    assert enough(lambda repeats: 0.0, 5.0) == MOST_REPEATS


@pytest.mark.parametrize("clock", ["gpu", "wall"])
def test_repeats_take_long_enough_by_the_stopwatch(ctx, releasing, monkeypatch, clock):
    watch = releasing(Stopwatch(ctx, clock))
    monkeypatch.setattr(watch, "time", lambda run, repeats=1: (0.3, 0.0))
    repeats = watch.enough(lambda: None)
    assert 0.3 * repeats >= BATCH_MS[clock] > 0.3 * repeats / 2


@pytest.mark.parametrize(("submit_ms", "times"), [(0.0, 1), (20.0, 3), (1e3, 5)])
def test_a_head_start_lasts_longer_than_submitting_does(ctx, releasing, monkeypatch, submit_ms, times):
    """The GPU here did the smallest such work in 10 ms."""
    watch = releasing(Stopwatch(ctx, "gpu"))
    monkeypatch.setattr(TimestampQueries, "nanoseconds", lambda _, index: {2: 0, 3: 10_000_000}[index])
    watch.head_start(submit_ms)
    assert watch.iterations == LEAST_BUSY  # nothing is known of it yet
    watch.head_start(submit_ms)
    assert watch.iterations == times * LEAST_BUSY


def test_the_stopwatch_reports_the_caller_s_wait(monkeypatch):
    now = 0.0
    monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=lambda: now))

    def run():
        nonlocal now
        now += 0.01

    assert list(medians(measure_wait(run))) == [pytest.approx(10)]
