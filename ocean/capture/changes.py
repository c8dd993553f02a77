"""Whether medians have moved between two runs: ratios with bootstrap intervals, corrected for the machine.

Knows named series of samples and nothing of where they are from. A slower machine slows the fixed work that was timed
beside the series as well, so every ratio is taken against it, and its own scatter goes into the interval.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ocean.fft.measure import LEAST_SAMPLES
from ocean.settings import SettingsError

LEVEL = 0.95
RESAMPLES = 4000

Verdict = Literal["slower", "faster", "same", "too few samples"]


class ChangeError(SettingsError):
    """Runs that can't be compared; the message is one sentence that says why."""


@dataclass(frozen=True)
class Series:
    """Samples by name in milliseconds, those of fixed work, and what is too short for its changes to matter."""

    samples: Mapping[str, Sequence[float]]
    fixed: Mapping[str, Sequence[float]] = field(default_factory=dict)
    negligible_ms: float = 0.0


@dataclass(frozen=True)
class Change:
    """How a median compares with the one before: now over before and its 95 % interval, corrected for the machine."""

    name: str
    before_ms: float
    now_ms: float
    ratio: float
    low: float
    high: float
    verdict: Verdict


@dataclass(frozen=True)
class Changes:
    """All that was compared, and the names that only one of both runs has."""

    machine: float  # how many times as long fixed work takes now; 1 where there was none
    changes: tuple[Change, ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def has_regression(self) -> bool:
        return any(change.verdict == "slower" for change in self.changes)


def compare(before: Mapping[str, Series], now: Mapping[str, Series], tolerance: float) -> dict[str, Changes]:
    """What has changed in each group that both runs have; as `find_changes`, which judges one group."""
    return {name: find_changes(before[name], series, tolerance) for name, series in now.items() if name in before}


def find_changes(before: Series, now: Series, tolerance: float) -> Changes:
    """Compare two runs. A series is slower or faster when the whole interval of its ratio lies beyond 1 + `tolerance`
    or below its inverse, and the difference is not negligible.

    The interval is the percentile bootstrap's (Efron and Tibshirani 1993, chapter 13): frames, and those of the fixed
    work, are drawn again with replacement. Frames that follow each other are not independent, so intervals are a
    little narrow; the tolerance is there for that too.

    Raises:
        ChangeError: where fixed work took no time that could be measured, or nothing has samples enough.
    """
    machine, machines = machine_ratio(before, now)
    found = []
    for name, was, samples in ((n, before.samples[n], now.samples[n]) for n in now.samples if n in before.samples):
        before_ms, now_ms = float(np.median(was)), float(np.median(samples))
        ratio, low, high = 1.0, 0.0, math.inf
        verdict: Verdict = "too few samples"
        if min(len(was), len(samples)) >= LEAST_SAMPLES:
            verdict = "same"
            if before_ms > 0:
                ratio = now_ms / before_ms / machine
                low, high = interval(medians(samples, NOW) / machines, medians(was, BEFORE))
            if abs(now_ms / machine - before_ms) > before.negligible_ms:
                verdict = "slower" if low > 1 + tolerance else "faster" if high < 1 / (1 + tolerance) else "same"
        found.append(Change(name, before_ms, now_ms, ratio, low, high, verdict))
    if found and all(change.verdict == "too few samples" for change in found):
        raise ChangeError(f"a {LEVEL:.0%} interval takes {LEAST_SAMPLES} samples at least, in both runs")
    gone = tuple(name for name in before.samples if name not in now.samples)
    return Changes(machine, tuple(found), gone, tuple(name for name in now.samples if name not in before.samples))


def machine_ratio(before: Series, now: Series) -> tuple[float, NDArray[np.float64]]:
    """How many times as long the machine takes now, whatever the program did, and the same for RESAMPLES draws: the
    geometric mean over the fixed work, since series lean on all of it and in shares that nobody knows."""
    names = [name for name in now.fixed if name in before.fixed]
    ratio, ratios = 1.0, np.ones(RESAMPLES)
    for name in names:
        above, below = medians(now.fixed[name], NOW), medians(before.fixed[name], BEFORE)
        if min(above.min(), below.min()) <= 0:
            raise ChangeError(f"{name} took no time that could be measured, so nothing can be compared")
        ratio *= float(np.median(now.fixed[name]) / np.median(before.fixed[name]))
        ratios *= above / below
    power = 1 / max(len(names), 1)
    return ratio**power, ratios**power


BEFORE, NOW = 1, 2


def medians(samples: Sequence[float], run: int) -> NDArray[np.float64]:
    """The medians of RESAMPLES draws from the samples. Series of one run that are equally long draw the same frames, so
    that what slowed a whole frame slows its fixed work too; both runs draw independently."""
    from scipy.stats import bootstrap

    x = np.asarray(samples, np.float64)
    if np.ptp(x) == 0:  # scipy has no use for them
        return np.full(RESAMPLES, x[0])
    rng = np.random.default_rng((run, len(x)))
    drawn = bootstrap((x,), np.median, n_resamples=RESAMPLES, method="percentile", rng=rng)
    return np.asarray(drawn.bootstrap_distribution, np.float64)


def interval(above: NDArray[np.float64], below: NDArray[np.float64]) -> tuple[float, float]:
    """The interval of a quotient from draws of both; unbounded above where the lower may be 0."""
    if below.min() <= 0:
        return 0.0, math.inf
    low, high = np.quantile(above / below, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return float(low), float(high)


# -- As text -----------------------------------------------------------------------------------------------------------

CHANGE_COLUMNS = ("", "before ms", "now ms", "change", "95 % interval", "")


def change_rows(changes: Changes) -> Iterator[tuple[str, ...]]:
    """The rows of a table with CHANGE_COLUMNS; changes are corrected for the machine."""
    for change in changes.changes:
        bounds = "" if math.isinf(change.high) else f"{change.low - 1:+.1%} to {change.high - 1:+.1%}"
        times = (milliseconds(change.before_ms), milliseconds(change.now_ms))
        word = "" if change.verdict == "same" else change.verdict
        yield (change.name, *times, f"{change.ratio - 1:+.1%}" if bounds else "", bounds, word)


def change_notes(changes: Changes) -> Iterator[str]:
    """What else there is to say about a comparison."""
    if changes.machine != 1:
        yield f"For fixed work the machine now takes {changes.machine:.3g} times as long; changes are beyond that."
    if changes.gone:
        yield f"Only before: {', '.join(changes.gone)}."
    if changes.new:
        yield f"Only now: {', '.join(changes.new)}."


def verdict(found: Mapping[str, Changes], tolerance: float) -> str:
    """What a comparison comes to, in a sentence."""
    named = [
        (f"{case}: " if case else "") + c.name for case, f in found.items() for c in f.changes if c.verdict == "slower"
    ]
    if named:
        return f"Slower by more than {tolerance:.0%}, with {LEVEL:.0%} confidence: {', '.join(named)}."
    unknown = sum(change.verdict == "too few samples" for changes in found.values() for change in changes.changes)
    few = f" {unknown} had fewer than {LEAST_SAMPLES} samples and were not judged." if unknown else ""
    return f"Nothing became slower by more than {tolerance:.0%}, with {LEVEL:.0%} confidence.{few}"


def milliseconds(value: float) -> str:
    """Four digits, whatever the size."""
    return f"{value:.4g}" if value >= 1 else f"{value:.4f}"
