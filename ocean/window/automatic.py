"""Quality *automatic*: the scale of the view and the quality level that hold the display's refresh rate.

Knows neither a GPU nor a window: takes times of frames, and chooses.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple

from ocean.common.resources import LEVELS
from ocean.settings import Settings, changes_to, level_values, value_at, with_values

SCALES = 1.0, 0.83, 0.67, 0.5
SMALLER = SCALES[2]  # scale at which a first start still takes a level
COSTS = dict(zip(LEVELS, (0.43, 1.09, 2.24, 4.53), strict=True))
"""Time of a frame at each level [ms] (docs/levels.md). Only the ratios count."""
SLOW, GOAL, SPARE = 0.93, 0.8, 0.7
"""Fractions of the time between two refreshes. Frames slower than SLOW cause a change down, to an expected time below
GOAL. A change up needs an expected time below SPARE."""
FIXED = 0.1  # fraction of a frame's time that neither fewer pixels nor a lower level shorten
RISE = 1.15  # minimum ratio of costs of a change up
RECENT, FEW = 7, 3  # frames whose median counts; FEW suffice if each takes twice the budget
PATIENCE = 2.0  # s in which a change up must have been possible
MEMORY = 120.0  # s for which the effect of a change is remembered


class Choice(NamedTuple):
    level: str
    scale: float  # factor on the width and height of the drawn picture

    @property
    def cost(self) -> float:
        return COSTS[self.level] * self.scale**2

    def __str__(self) -> str:
        return f"{self.level} at {100 * self.scale:.0f} %"


class Automatic:
    """Chooser of scale and level for a display with a `rate` of refreshes [1/s].

    It changes down after a few slow frames, as far as the median time requires: first the scale, then the level. It
    changes up one step at a time, when the next step has been expected to fit for some seconds. A change whose frames
    took longer than expected is remembered, so that it is not tried again and again.
    """

    def __init__(self, settings: Settings, rate: float) -> None:
        self.choice = Choice(_nearest(settings, LEVELS[0]), 1.0)
        self.budget = 1e3 / rate  # ms
        self.reason = ""  # sentence on the last change
        self._kept = set(changes_to(settings, self.choice.level))  # key paths of values that the user has set
        self.ms = self._time = self._spare = 0.0  # median time of a frame [ms]; s, and s in which a change up fits
        self._times = deque[float](maxlen=RECENT)
        self._rested = -1  # number of the last frame that does not count
        self._before: tuple[Choice, float] | None = None  # choice and time of a frame [ms] before the last change
        self._refused: set[str] = set()  # levels
        self._seen: dict[tuple[Choice, Choice], tuple[float, float]] = {}  # ratios of changes, and their times [s]

    def __str__(self) -> str:
        return f"automatic: {self.choice}, aims at {self.budget:.1f} ms"

    def factor(self, settings: Settings) -> float:
        """Return the chosen scale; a view whose scale the user has set is not reduced further."""
        return self.choice.scale if settings.view.scale == 1 else 1.0

    def rest(self, frame: int) -> None:
        """Ignore the times of all frames up to this number."""
        self._times.clear()
        self._rested, self._spare = frame, 0.0

    def step(self, elapsed: float, times: Iterable[tuple[int, float]], scales: Sequence[float] = SCALES) -> bool:
        """Take s since the last call, and numbers and ms of measured frames; return whether the choice has changed."""
        self._time += elapsed
        self._spare += elapsed
        if self.choice.scale not in scales:
            self.choice, self._before = self.choice._replace(scale=1.0), None
            return True
        self._times.extend(new := [ms for number, ms in times if number > self._rested])
        enough = FEW if min(self._times, default=0.0) > 2 * self.budget else RECENT
        if not new or len(self._times) < enough:
            return False
        self.ms = median(self._times)
        if self._before:
            before, ms = self._before
            self._seen[before, self.choice] = self.ms / ms, self._time
            self._before = None
        is_slow = self.ms > SLOW * self.budget
        chosen = self._next(is_slow, scales)
        if chosen is None:
            self._spare = 0.0
        if chosen is None or (not is_slow and self._spare < PATIENCE):
            return False
        self._before, self.choice = (self.choice, self.ms), chosen
        self.reason = f"automatic: {chosen}, because a frame took {self.ms:.1f} of {self.budget:.1f} ms"
        return True

    def _expected(self, choice: Choice) -> float:
        ratio, (seen, time) = choice.cost / self.choice.cost, self._seen.get((self.choice, choice), (0.0, 0.0))
        ratio = max(ratio, FIXED + (1 - FIXED) * ratio)
        return self.ms * (max(ratio, seen) if self._time - time < MEMORY else ratio)

    def _next(self, is_slow: bool, scales: Sequence[float]) -> Choice | None:
        """Return the next choice, or None if there is none. Down, it is the best one that is expected to reach the
        goal, or else the fastest. Up, it is the next larger scale, or the largest of the next level, if it fits."""
        ladder = [Choice(level, scale) for level in LEVELS for scale in sorted(scales)]
        here, budget = ladder.index(self.choice), self.budget
        if is_slow:
            lower = [one for one in reversed(ladder[:here]) if one.level not in self._refused]
            fast = (one for one in lower if self._expected(one) <= GOAL * budget)
            return next(fast, lower[-1] if lower else None)
        is_largest = (here + 1) % len(scales) == 0
        higher = ladder[here + 1 :][: len(scales) if is_largest else 1]
        costlier = (one for one in reversed(higher) if one.cost > RISE * self.choice.cost)
        fitting = (one for one in costlier if self._expected(one) <= SPARE * budget)
        return next((one for one in fitting if one.level not in self._refused), None)

    def follow(self, before: Settings, after: Settings) -> bool:
        """Update the level after settings were changed from outside. Return whether to `rest` then."""
        if before.fft.backend != after.fft.backend:
            self._refused.clear()
        if not (changed := _changed(before, after)):
            return False
        self.choice, self._before = self.choice._replace(level=_nearest(after, self.choice.level)), None
        self._kept = self._kept - changed | changes_to(after, self.choice.level).keys()
        return True

    def take_back(self, failed: Settings, settings: Settings) -> None:
        """Return to the settings before a change that failed, and avoid its level if it is the last one chosen."""
        if self._before and self.choice.level != self._before[0].level and _changed(failed, settings):
            self._refused.add(self.choice.level)
            self.choice, self._before = self._before[0], None
        else:
            self.follow(failed, settings)

    def applied(self, settings: Settings, level: str) -> Settings:
        """Return settings of a `level` at the chosen one. Values that the user has set stay."""
        kept = self._kept | changes_to(settings, level).keys()
        values = changes_to(settings, self.choice.level)
        return with_values(settings, {path: value for path, value in values.items() if path not in kept})


def _changed(before: Settings, after: Settings) -> set[str]:
    return {path for path in level_values(LEVELS[0]) if value_at(before, path) != value_at(after, path)}


def _nearest(settings: Settings, level: str) -> str:
    """Return the level from which the fewest values of settings differ; `level` if others are not nearer."""
    return min(LEVELS, key=lambda name: (len(changes_to(settings, name)), name != level))
