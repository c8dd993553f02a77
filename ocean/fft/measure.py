"""The measurement of candidates that do equal work: `measure` checks each one, then times all in turn, round by round.

`measure` yields after at most one round of all candidates: a command runs it to the end, and a window continues it
between frames. A candidate brings its own clock and any kind of work.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ocean.common.records import Measured, sampled
from ocean.gpu.timing import Pace

SPREAD = 10
"""Largest error of a right value, in units of the promised root mean square error. Sums of many rounding errors are
normally distributed, and the largest of 2^24 of them lies six standard deviations out."""

OFF_BEYOND = 1e-3
"""A value is off if its real or imaginary part differs by more than this fraction of itself: small values often are."""

PIECE = 1 << 16
"""Number of values that are compared at once."""

ROUNDS, LEAST_SAMPLES, TRANSFERS_MS, PATIENCE = 11, 6, 100.0, 1.0
"""Samples of a candidate; minimum number of samples after PATIENCE [s] of measuring, or TRANSFERS_MS with transfers.

All n samples lie on one side of the true median with a probability of 2^(1 - n). For n < 6 that exceeds 5 %, so fewer
samples give no confidence interval of 95 % (`ocean.capture.compare`)."""

LONGEST = 120.0
"""Seconds after which no other round begins: slow candidates then have fewer samples, which shows in their noise."""

BREATH = 0.25
"""Seconds of a round after which a window may draw a frame: a round takes seconds on a software renderer."""


class Timer(Protocol):
    def time(self, run: Callable[[], object], repeats: int = 1) -> tuple[float, float]:
        """Return the time of a run [ms], of `repeats` in a row, and the time to submit it [ms]."""

    def enough(self, run: Callable[[], object]) -> int:
        """Return the number of runs in a row that take long enough to be timed."""

    def rate(self) -> float:
        """Return the device's present speed on fixed work, in any unit; 0 if its clock needs no waiting."""


@lru_cache(maxsize=1024)
def percentile(samples: tuple[float, ...], share: float) -> float:
    """Return a percentile of samples, 0 without any. A window asks for each many times per frame."""
    return float(np.percentile(samples, share)) if samples else 0.0


@dataclass(eq=False)  # hashed by identity
class Measurement:
    """The measurement of one candidate, round by round, with the names of its row, `Measured`; times are of one run."""

    name: str
    obstacle: str | None = None  # why the candidate can't run
    error_limit: float = 0.0  # promised by the backend
    dispatches: int = 0
    bytes: int = 0
    relative_l2: float = 0.0
    wrong_values: int = 0
    off_values: int = 0
    largest_error: float = 0.0  # error of a single value, in units of the result's root mean square
    largest_off: float = 0.0  # magnitude of a part that is off, in that unit
    speedup: float = 0.0  # relative to the first candidate that ran
    repeats: int = 0  # runs in one sample
    samples_ms: list[float] = field(default_factory=list)
    submit_samples_ms: list[float] = field(default_factory=list)
    transfer_samples: list[float] = field(default_factory=list)  # with upload and read back, by the wall clock

    def set(self, found: "Errors") -> None:
        self.relative_l2, self.wrong_values, self.off_values, self.largest_error, self.largest_off = found

    @property
    def median_ms(self) -> float:
        return percentile(tuple(self.samples_ms), 50)

    @property
    def submit_us(self) -> float:
        return 1e3 * percentile(tuple(self.submit_samples_ms), 50)

    @property
    def gb_per_s(self) -> float:
        return self.bytes / (self.median_ms * 1e6) if self.median_ms else 0.0

    @property
    def is_right(self) -> bool:
        return self.relative_l2 <= self.error_limit and self.wrong_values == 0

    def backend_row(self, clock: str) -> Measured:
        """Return the row of a backend. Its accuracy is known before its times."""
        checked = {} if self.obstacle else {"dispatches": self.dispatches or None, **self.accuracy()}
        values = {"speedup": self.speedup or None, **checked, **self.row(clock)}
        return Measured(name=self.name, kind="backend", **values)

    def row(self, clock: str) -> dict[str, Any]:
        """Return the report columns: timings, counts, accuracy."""
        if not self.samples_ms:
            return {"obstacle": self.obstacle}
        return {
            "clock": clock,
            **sampled(self.samples_ms),
            "transfers_ms": percentile(tuple(self.transfer_samples), 50) if self.transfer_samples else None,
            "transfer_samples_ms": tuple(self.transfer_samples),
            "submit_us": self.submit_us,
            "dispatches": self.dispatches or None,  # unknown for libraries
            "bytes": self.bytes or None,
            "gb_per_s": self.gb_per_s or None,
            **self.accuracy(),
            "repeats": self.repeats,
            "outliers": outliers(self.samples_ms),
        }

    def accuracy(self) -> dict[str, Any]:
        return {
            "relative_l2": self.relative_l2 if np.isfinite(self.relative_l2) else None,
            "largest_error": self.largest_error if np.isfinite(self.largest_error) else None,
            "is_right": self.is_right,
            "wrong_values": self.wrong_values,
            "off_values": self.off_values,
            "largest_off": self.largest_off if self.off_values else None,
        }


@dataclass
class Candidate:
    """Something to measure. Runs may work on the last result, so they keep the magnitude, as unitary transforms do."""

    result: Measurement
    timer: Timer
    fill: Callable[[], object]  # writes the input
    run: Callable[[], object]
    read: Callable[[], NDArray[Any]]  # reads the result of the last run
    expected: Callable[[], NDArray[Any]]  # the right result, in float64
    whole: Callable[[], object] | None = None  # upload, run and read back
    idles: bool = False  # leaves the GPU idle
    competes: bool = True  # False: a copy, to compare with

    def again(self) -> Self:
        return replace(self, result=Measurement(self.result.name, error_limit=self.result.error_limit), whole=None)

    def check(self) -> None:
        """Run once, and compare the result with the expected one."""
        self.fill()
        self.run()
        self.result.set(errors(self.read(), self.expected(), self.result.error_limit))

    def prepare(self) -> None:
        """Find how many runs make a sample."""
        self.fill()
        self.result.repeats = self.timer.enough(self.run)

    def sample(self) -> None:
        gpu_ms, cpu_ms = self.timer.time(self.run, self.result.repeats)
        self.result.samples_ms.append(gpu_ms)
        self.result.submit_samples_ms.append(gpu_ms if self.idles else cpu_ms)  # the CPU does the whole work of the run
        times = self.result.transfer_samples
        if self.whole is not None and (len(times) < LEAST_SAMPLES or sum(times) < TRANSFERS_MS):
            start = time.perf_counter()
            self.whole()
            times.append((time.perf_counter() - start) * 1e3)

    @property
    def has_enough(self) -> bool:
        """True if more samples are not worth their time."""
        samples, transfers = self.result.samples_ms, self.result.transfer_samples
        usual = self.result.median_ms * len(samples)  # a driver may stop one sample for a second
        spent = (usual * self.result.repeats + sum(transfers)) / 1e3
        return len(samples) >= LEAST_SAMPLES and (self.idles or spent > PATIENCE)


class Reached(NamedTuple):
    """The completed fraction of a measurement, and the name and the number, from 1, of the candidate that is next.
    After a round the name is the round's, and the number 0."""

    share: float
    name: str = ""
    number: int = 0


def measure(candidates: Sequence[Candidate], rounds: int = ROUNDS) -> Iterator[Reached]:
    """Check and time candidates, and keep the GPU's clock up for each sample.

    Yields before each checked candidate, after each BREATH and round, and often while the clock rises.
    """
    whole = max(1, len(candidates) * (rounds + 2))

    def reached(done: int, place: int) -> Reached:
        """Return the progress in the round after `done` others; checks and preparations are rounds, too."""
        return Reached((done * len(candidates) + place) / whole, candidates[place].result.name, place + 1)

    for place, candidate in enumerate(candidates):
        yield reached(0, place)
        candidate.check()
    awake = next((candidate.timer for candidate in candidates if not candidate.idles), None)
    pace = Pace(awake.rate if awake else lambda: 0.0)  # pace of the device that all busy candidates share
    for place, candidate in enumerate(candidates):
        yield reached(1, place)
        for _ in pace.keep() if not candidate.idles else ():
            yield reached(1, place)
        candidate.prepare()
    end = time.perf_counter() + LONGEST
    for number in range(1, rounds + 1):
        began = time.perf_counter()
        if number > 1 and began > end:
            return
        for fill in dict.fromkeys(candidate.fill for candidate in candidates):
            fill()
        for place, candidate in enumerate(candidates):
            if candidate.has_enough:
                continue
            if time.perf_counter() > began + BREATH:
                yield reached(number + 1, place)
                began = time.perf_counter()
            for _ in pace.keep() if not candidate.idles else ():
                yield reached(number + 1, place)
            candidate.sample()
        first = next((one.result for one in candidates if one.result.samples_ms), None)
        for one in candidates:
            one.result.speedup = first.median_ms / one.result.median_ms if first and one.result.median_ms else 0.0
        yield Reached((number + 2) / (rounds + 2), f"round {number} of {rounds}")


class Errors(NamedTuple):
    relative: float  # L2 norm of the errors over the norm of the expected values
    wrong: int  # values that are off by more than SPREAD times the promised error
    off: int  # values with a real or imaginary part off by more than OFF_BEYOND of itself
    largest: float  # error of a single value, in units of the root mean square
    largest_off: float  # magnitude of a part that is off, in units of the root mean square


def errors(result: NDArray[Any], expected: NDArray[Any], promise: float) -> Errors:
    """Compare a result with the expected values, piece by piece, so that each piece stays in the caches. `promise` is
    the relative L2 error that its transform promises."""
    found, exact = result.reshape(-1), expected.reshape(-1)
    pieces = [slice(start, start + PIECE) for start in range(0, len(exact), PIECE)]
    scale = sum(float(np.sum(squares(exact[piece]))) for piece in pieces) / len(exact)
    total = largest = largest_off = 0.0
    wrong = off = 0
    for piece in pieces:
        apart = squares(found[piece] - exact[piece])
        total += float(np.sum(apart))
        largest = float(np.maximum(largest, np.max(apart)))  # keeps NaN
        wrong += int(np.count_nonzero(~(apart <= (SPREAD * promise) ** 2 * scale)))
        parts = as_parts(exact[piece])
        is_off = ~(abs(as_parts(found[piece]) - parts) <= OFF_BEYOND * abs(parts))
        if count := int(np.count_nonzero(is_off.any(axis=-1))):
            off += count
            largest_off = max(largest_off, float(np.max(abs(parts[is_off]))))
    if scale == 0:
        return Errors(float("inf") if total else 0.0, wrong, off, float("inf") if total else 0.0, 0.0)
    relative = float(np.sqrt(total / len(exact) / scale))
    return Errors(relative, wrong, off, float(np.sqrt(largest / scale)), float(largest_off / np.sqrt(scale)))


def as_parts(values: NDArray[Any]) -> NDArray[Any]:
    """Return real and imaginary parts along a last axis."""
    return np.ascontiguousarray(values).view(values.real.dtype).reshape(*values.shape, 2)


def squares(values: NDArray[Any]) -> NDArray[Any]:
    """Return squared magnitudes in double precision or more, several times faster than `abs(values) ** 2`."""
    precise = np.promote_types(values.real.dtype, np.float64)
    found: NDArray[Any] = values.real.astype(precise) ** 2 + values.imag.astype(precise) ** 2
    return found


def difference(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the relative difference between two measurements of the same work.

    It is the larger of two differences of medians: between both (noise), and between halves of the rounds (drift).
    """
    count = min(len(first), len(second))  # a candidate may have stopped early
    both = np.array([first[:count], second[:count]])
    half = both.shape[1] // 2
    pairs = [np.median(both, axis=1)]
    if half:
        pairs.append(np.array([np.median(both[:, :half]), np.median(both[:, half:])]))
    return max(float(pair.max() / pair.min()) - 1 for pair in pairs)


def outliers(samples: Sequence[float]) -> int:
    """Return the number of samples beyond Tukey's fences, 1.5 times the interquartile range outside the quartiles."""
    low, high = np.percentile(samples, (25, 75))
    fence = 1.5 * (high - low)
    return int(np.count_nonzero((samples < low - fence) | (samples > high + fence)))
