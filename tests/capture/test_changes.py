"""Changes of medians: intervals contain the true value as often as they state, and verdicts follow from them."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocean.capture.compare import (
    LEAST_SAMPLES,
    ComparisonError,
    Series,
    change_notes,
    change_rows,
    find_changes,
    verdict,
)
from tests.messages import naming, unnamed

ROUNDS, COUNT = 60, 40


def noisy(rng: np.random.Generator, ms: float, count: int = COUNT) -> tuple[float, ...]:
    """Return samples with this median and a long tail, as times have."""
    return tuple(ms * rng.lognormal(0.0, 0.1, count))


def test_confidence_intervals_contain_the_true_value_as_often_as_stated() -> None:
    """Fewer than 51 of 60 exact intervals of 95 % contain the true value in 1 of 1000 runs."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(ROUNDS):
        before = Series({"pass": noisy(rng, 2.0)}, {"fixed": noisy(rng, 3.0)})
        now = Series({"pass": noisy(rng, 2.0 * 1.3 * 1.5)}, {"fixed": noisy(rng, 3.0 * 1.5)})
        (change,) = find_changes(before, now, 0.0).changes
        held += change.low <= 1.3 <= change.high
    assert held >= 51


def test_a_program_that_has_not_changed_is_seldom_called_slower() -> None:
    """The error to one side is half of 5 %: more than six of 60 would come in 1 of 2000 runs."""
    rng = np.random.default_rng(6)
    runs = [Series({"pass": noisy(rng, 2.0)}) for _ in range(2 * ROUNDS)]
    verdicts = [find_changes(*pair, 0.0).changes[0].verdict for pair in zip(runs[::2], runs[1::2], strict=True)]
    assert verdicts.count("slower") <= 6


def test_noise_of_whole_frames_cancels() -> None:
    """A disturbance slows a frame and its reference workload alike, and both are resampled together, so the interval is
    narrow."""
    rng = np.random.default_rng(7)

    def run(factor: float) -> Series:
        load = rng.lognormal(0.0, 0.5, 60)
        return Series({"pass": tuple(factor * load)}, {"fixed": tuple(3 * load)})

    (change,) = find_changes(run(1.0), run(1.1), 0.05).changes
    assert (change.low, change.high) == pytest.approx((1.1, 1.1))
    assert change.verdict == "slower"


@settings(max_examples=25)
@given(
    st.lists(st.floats(0.01, 100), min_size=LEAST_SAMPLES, max_size=30),
    st.lists(st.floats(0.01, 100), min_size=LEAST_SAMPLES, max_size=30),
    st.floats(0, 1),
)
def test_verdicts_follow_from_intervals(was: list[float], now: list[float], tolerance: float) -> None:
    (change,) = find_changes(Series({"a": was}), Series({"a": now}), tolerance).changes
    assert change.low <= change.ratio * (1 + 1e-9)
    assert change.ratio <= change.high * (1 + 1e-9)
    limit = (1 + tolerance) * (1 + change.noise)
    assert (change.verdict == "slower") == (change.low > limit)
    assert (change.verdict == "faster") == (change.high < 1 / limit)


def test_repeated_comparisons_agree() -> None:
    rng = np.random.default_rng(8)
    pair = Series({"a": noisy(rng, 1.0)}), Series({"a": noisy(rng, 1.1)})
    assert find_changes(*pair, 0.1) == find_changes(*pair, 0.1)


def test_a_run_against_itself_has_an_interval() -> None:
    """The interval resamples both runs independently."""
    run = Series({"a": noisy(np.random.default_rng(9), 1.0)})
    (change,) = find_changes(run, run, 0.0).changes
    assert change.ratio == 1.0
    assert change.low < 1 < change.high


def test_few_samples_are_not_judged() -> None:
    few, many = (1.0,) * (LEAST_SAMPLES - 1), (1.0,) * LEAST_SAMPLES
    changes = find_changes(Series({"a": few, "b": many}), Series({"a": (9.0,) * 50, "b": many}), 0.1)
    assert [change.verdict for change in changes.changes] == ["too few samples", "same"]
    assert unnamed(verdict({"": changes}, 0.1), "1 6 samples") == []
    with pytest.raises(ComparisonError, match=naming("6 samples")):
        find_changes(Series({"a": few}), Series({"a": many}), 0.1)


def test_times_of_zero_have_no_ratio() -> None:
    (change,) = find_changes(Series({"a": (0.0,) * 9}), Series({"a": (1.0,) * 9}), 0.1).changes
    assert (change.low, change.high, change.verdict) == (0.0, math.inf, "same")


def test_text_names_every_change() -> None:
    def series(machine: float, **medians: float) -> Series:
        times: dict[str, Any] = {name: (ms * machine,) * 9 for name, ms in medians.items()}
        return Series(times, {"fixed": (machine,) * 9})

    changes = find_changes(series(1.0, a=1.0, b=2.0, c=3.0), series(2.0, a=1.5, b=2.0, d=1.0), 0.25)
    assert list(change_rows(changes)) == [
        ("a", "1.0000", "3.0000", "2 x", "+50.0%", "+50.0% to +50.0%", "0.0%", "slower"),
        ("b", "2.0000", "4.0000", "2 x", "+0.0%", "+0.0% to +0.0%", "0.0%", ""),
    ]
    assert [unnamed(line, name) for line, name in zip(change_notes(changes), "2cd", strict=True)] == [[], [], []]
    assert unnamed(verdict({"x": changes, "": changes}, 0.25), "Slower 25% 95% x: a; a.") == []


def test_noise_within_the_runs_is_no_regression() -> None:
    """The cases are a machine that slows down during a run, one whose kinds of reference work disagree, one that
    changed while the reference work was not timed alternately, and measured noise."""
    calm, busy = (1.0,) * 40, tuple(np.linspace(1.0, 1.9, 40))
    even = {"copy": calm, "arithmetic": calm}
    for before, now in (
        (Series({"a": calm}, even), Series({"a": busy}, even)),
        (Series({"a": calm}, even), Series({"a": calm}, {"copy": (0.3,) * 40, "arithmetic": calm})),
        (Series({"a": calm}, {"copy": calm}), Series({"a": (1.9,) * 40}, {"copy": (1.3,) * 40}, is_beside=False)),
        (Series({"a": calm}, noise=0.6), Series({"a": (1.5,) * 40})),
    ):
        (change,) = find_changes(before, now, 0.25).changes
        assert change.verdict == "within noise"
        assert unnamed(verdict({"": find_changes(before, now, 0.25)}, 0.25), "1 noise") == []
