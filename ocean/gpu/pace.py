"""The clock of a GPU, as fixed work tells of it.

A GPU that idles lowers its clock, some within two seconds and to a quarter (docs/measurements/speed.md), and few short
runs with the CPU's work between them are as good as idling. Work without pauses raises it again within half a second.
So whoever measures keeps it up, and looks at it each time.
"""

import time
from collections.abc import Callable, Iterator

SECONDS = 1.0  # within which a GPU raises its clock
AWAKE = 0.9  # of the fastest that it was: where it is warm or shares its power, a clock wavers by less


class Pace:
    """How fast fixed work goes on a device; `rate` does some of it and says how fast, in any unit, or 0 where there is
    nothing to wait for."""

    def __init__(self, rate: Callable[[], float]) -> None:
        self._rate, self._fastest = rate, 0.0

    def keep(self) -> Iterator[None]:
        """Do fixed work, some in each step, until it goes as fast as it ever did. At first nobody knows how fast that
        is, and where something else holds the device up it may not come back: then this ends after SECONDS, and the
        fastest that was seen in them is what counts from then on."""
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
