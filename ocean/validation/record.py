"""The record of a wave gauge at one point: waves of the last ten minutes, and the largest waves.

Pure numbers; knows no sea. A wave lasts from one upward crossing of the mean water level to the next.
"""

import math
from collections import deque
from dataclasses import dataclass

from ocean.validation.quantities import HEIGHT, SKEWNESS, Quantity
from ocean.validation.survey import Survey
from ocean.waves.statistics import ROGUE_CREST, ROGUE_WAVE, highest, tayfun

LENGTH = 600.0  # s: longest record
LONGEST_GAP = 2.0  # s between two heights of one record
FEWEST = 10  # minimum number of waves for an expected largest height


@dataclass(frozen=True)
class Wave:
    """A wave that ended at a time [s], with its crest and its height from trough to crest [m]."""

    time: float
    crest: float
    height: float


class WaveRecord:
    """Waves at one point, from heights of the surface that come in order of time."""

    def __init__(self) -> None:
        self._begin(None, -math.inf, 0.0)

    def _begin(self, start: float | None, time: float, height: float) -> None:
        self.waves: deque[Wave] = deque()
        self._start, self._last = start, (time, height)
        self._is_wave = False  # whether a wave has begun
        self._low = self._high = 0.0

    def add(self, time: float, height: float) -> None:
        """Add the height [m] of the surface at a time [s]. A step back or a gap begins another record."""
        before, last = self._last
        if time == before:
            return
        if not before < time <= before + LONGEST_GAP:
            self._begin(time, time, height)
            last = height
        self._last = time, height
        if last < 0 <= height:
            if self._is_wave:
                self.waves.append(Wave(time, self._high, self._high - self._low))
            self._is_wave, self._low, self._high = True, height, height
        self._low, self._high = min(self._low, height), max(self._high, height)
        while self.waves and self.waves[0].time < time - LENGTH:
            self.waves.popleft()

    @property
    def duration(self) -> float:
        """Length of the record [s], at most ten minutes."""
        return 0.0 if self._start is None else min(LENGTH, self._last[0] - self._start)


def largest_waves(record: WaveRecord, survey: Survey) -> list[Quantity]:
    """Return the largest wave and the highest crest of a record, beside the expected ones for as many waves: by
    Rayleigh's distribution, and by Tayfun's with the sea's skewness. Empty for fewer than ten waves, and in a calm."""
    waves, hs = record.waves, survey[HEIGHT].expected
    if len(waves) < FEWEST or hs == 0:
        return []
    mean, deviation = highest(len(waves))
    skewness = survey[SKEWNESS].expected
    crest, slope = tayfun(mean, skewness), 1 + 4 / 3 * skewness * mean
    rows = (
        ("largest wave", 2 * mean, 2 * mean, 2 * deviation, max(wave.height for wave in waves), ROGUE_WAVE),
        ("highest crest", mean, crest, slope * deviation, max(wave.crest for wave in waves), ROGUE_CREST),
    )
    helps = (
        "from trough to crest; predicted for a narrow band, and real seas stay up to 10 % below",
        "over the mean water level; predicted by Tayfun (1980), and without a grid for linear waves",
    )
    record_text = f"of {len(waves)} waves in {record.duration / 60:.1f} minutes at the buoy's position"
    quantities = []
    for (name, linear, expected, scatter, found, rogue), text in zip(rows, helps, strict=True):
        text = f"The {name} {record_text}: {found / hs:.2f} Hs {text}. From {rogue:g} Hs on it is called rogue."
        quantities.append(Quantity(name, "m", text, linear * hs, expected * hs, scatter * hs, found))
    return quantities
