"""The clock of a GPU, measured by fixed work.

An idle GPU lowers its clock, some within two seconds and to a quarter (docs/measurements/trials.md). Few short runs
with pauses of the CPU count as idling. Continuous work raises the clock again within half a second. So measurements
keep the GPU busy and check its clock each time.
"""

import time
from collections.abc import Callable, Iterator

SECONDS = 1.0  # longest time that a GPU takes to raise its clock
AWAKE = 0.9  # share of the fastest rate seen; the clock of a warm GPU varies by less


class Pace:
    """The rate of fixed work on a device. `rate` does some of it and returns its speed in any unit, or 0 if no clock
    needs to rise."""

    def __init__(self, rate: Callable[[], float]) -> None:
        self._rate, self._fastest = rate, 0.0

    def keep(self) -> Iterator[None]:
        """Do fixed work in steps until it runs at the fastest rate so far.

        The work ends after SECONDS at most: at first the fastest rate is unknown, and other work may slow the device.
        The fastest rate of these seconds then counts from now on.
        """
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
