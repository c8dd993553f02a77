"""Changes of medians: intervals contain the true value as often as they state, and verdicts follow from them."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocean.capture.compare import (
    INCONCLUSIVE,
    LEAST_SAMPLES,
    Change,
    Series,
    change_notes,
    change_rows,
    find_changes,
    status_of,
    verdict,
)
from ocean.common.errors import InputError
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
    limit = 1 + max(tolerance, change.noise)
    assert (change.verdict == "slower") == (change.low > limit)
    assert (change.verdict == "faster") == (change.high < 1 / limit)
    if change.verdict == "unchanged":
        assert max(change.high, change.ratio * (1 + change.noise)) <= (1 + tolerance) * (1 + 1e-9)


def test_a_run_against_itself_has_an_interval() -> None:
    """The interval resamples both runs independently."""
    run = Series({"a": noisy(np.random.default_rng(9), 1.0)})
    (change,) = find_changes(run, run, 0.0).changes
    assert change.ratio == 1.0
    assert change.low < 1 < change.high


def test_few_samples_are_not_judged() -> None:
    few, many = (1.0,) * (LEAST_SAMPLES - 1), (1.0,) * LEAST_SAMPLES
    changes = find_changes(Series({"a": few, "b": many}), Series({"a": (9.0,) * 50, "b": many}), 0.1)
    assert [change.verdict for change in changes.changes] == ["inconclusive", "unchanged"]
    assert unnamed(verdict({"": changes}, 0.1), "a; 6 frames") == []
    with pytest.raises(InputError, match=naming("6 samples")):
        find_changes(Series({"a": few}), Series({"a": many}), 0.1)


def test_times_of_zero_have_no_ratio() -> None:
    (change,) = find_changes(Series({"a": (0.0,) * 9}), Series({"a": (1.0,) * 9}), 0.1).changes
    assert (change.low, change.high, change.verdict) == (0.0, math.inf, "inconclusive")


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


def test_noise_that_hides_a_change_is_inconclusive() -> None:
    """The cases are a machine that slows down during a run, one whose kinds of reference work disagree, one that
    changed while the reference work was not timed alternately, and measured noise."""
    calm, busy = (1.0,) * 40, tuple(np.linspace(1.0, 1.9, 40))
    even = {"copy": calm, "arithmetic": calm}
    for before, now in (
        (Series({"a": calm}, even), Series({"a": busy}, even)),
        (Series({"a": calm}, even), Series({"a": calm}, {"copy": (0.3,) * 40, "arithmetic": calm})),
        (Series({"a": calm}, {"copy": calm}), Series({"a": (1.5,) * 40}, {"copy": (1.3,) * 40}, is_beside=False)),
        (Series({"a": calm}, noise=0.6), Series({"a": (1.5,) * 40})),
        (Series({"a": calm}, noise=0.9), Series({"a": (1.71,) * 40})),
    ):
        found = {"": find_changes(before, now, 0.25)}
        assert found[""].changes[0].verdict == "inconclusive"
        assert status_of(found) == INCONCLUSIVE
        assert unnamed(verdict(found, 0.25), "Inconclusive a;") == []


def test_a_change_beyond_noise_and_tolerance_is_slower_although_not_beyond_their_product() -> None:
    """A median 2.8 times as long, in an interval of 2.1 to 3.6, at a noise of 90 % and a tolerance of 25 %."""
    samples = tuple(np.random.default_rng(3).permutation(np.linspace(1.7, 3.9, 18)))
    found = find_changes(Series({"a": (1.0,) * 18}, noise=0.9), Series({"a": samples}), 0.25)
    (change,) = found.changes
    assert 1.9 < change.low < 1.9 * 1.25
    assert change.verdict == "slower"


@pytest.mark.parametrize("ratio", [1.0, 1.5])
def test_the_stated_number_of_frames_decides(ratio: float) -> None:
    """Most of 10 inconclusive pairs of runs have a verdict with the number of frames that each states."""
    rng = np.random.default_rng(11)

    def change(count: int) -> Change:
        samples = (tuple(ms * rng.lognormal(0.0, 0.3, count)) for ms in (1.0, ratio))
        return find_changes(*(Series({"a": one}) for one in samples), 0.25).changes[0]

    unsure = [one.frames for one in (change(20) for _ in range(40)) if one.verdict == "inconclusive" and one.frames]
    again = [change(min(frames, 500)).verdict for frames in unsure[:10]]
    assert len(again) == 10
    assert again.count("inconclusive") <= 5
    assert again.count("faster" if ratio > 1 else "slower") == 0


def test_five_small_steps_pass_each_and_fail_against_the_first() -> None:
    runs = [Series({"a": (1.4**step,) * 9}) for step in range(6)]
    each = [find_changes(*pair, 0.5).changes[0].verdict for pair in itertools.pairwise(runs)]
    assert each == ["unchanged"] * 5
    assert find_changes(runs[0], runs[-1], 0.5).changes[0].verdict == "slower"
