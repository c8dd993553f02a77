"""Times on the CPU, by the wall clock, that what ran before has no part in."""

import time
from collections.abc import Callable
from functools import partial

from ocean.gpu.stopwatch import BATCH_MS, enough

MOST_REPEATS = 1 << 17
"""Runs of one sample: the shortest take less than a microsecond."""
REST_SECONDS, MOST_RESTS, RESTING = 2e-3, 125, 0.25
"""Threads rest when they work for less than this share of such a moment; how many of these to wait for that. OpenMP's
spin for some 10 ms after each of FFTW's transforms."""
WARM_SECONDS = 2e-3


class HostTimer:
    """Times work on the CPU by the wall clock; there is nothing to submit. What is timed runs alone, and has run just
    before: threads of what ran earlier may still spin on the cores that it needs, as FFTW's do, and its code and data
    have left the caches."""

    clock = "wall"

    def time(self, run: Callable[[], object], repeats: int = 1) -> tuple[float, float]:
        warm(run)
        return batch_ms(run, repeats) / repeats, 0.0

    def enough(self, run: Callable[[], object]) -> int:
        warm(run)
        return enough(partial(batch_ms, run), BATCH_MS["wall"], MOST_REPEATS)


def batch_ms(run: Callable[[], object], repeats: int) -> float:
    """Milliseconds of so many runs in a row."""
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return (time.perf_counter() - start) * 1e3


def warm(run: Callable[[], object]) -> None:
    """Wait until no other thread of this process works, then run for a moment."""
    for _ in range(MOST_RESTS):
        worked = time.process_time()
        time.sleep(REST_SECONDS)
        if time.process_time() - worked < RESTING * REST_SECONDS:
            break
    end = time.perf_counter() + WARM_SECONDS
    run()
    while time.perf_counter() < end:
        run()
