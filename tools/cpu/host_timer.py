"""Wall-clock times of work on the CPU, undisturbed by other work."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import cycle
from pathlib import Path

from ocean.gpu.timing import BATCH_MS, enough

LEAST_MS = 1.0
"""Smallest time of a batch: shorter than a scheduler's time slices, so that one of many batches runs alone."""
MOST_REPEATS = 1 << 17  # runs in one batch: the shortest run takes less than a microsecond
REST_SECONDS, MOST_RESTS = 1e-3, 250
"""Length and number of waits for threads that still work: OpenMP's spin for some 10 ms after each of FFTW's
transforms."""
TASKS, BLIND_SECONDS = Path("/proc/self/task"), 0.02
"""Folder in which Linux shows the states of threads; and the wait on other systems."""
WARM_SECONDS = 2e-3
LOOK = 1 << 15  # additions that measure the speed of a processor, in about half a millisecond


class HostTimer:
    """Timer of work on the CPU by the wall clock; submitting takes no time.

    The work is warm and runs alone: earlier work may have left threads that still spin, such as FFTW's, and other data
    in the caches. A sample is the fastest of several batches, because other programs and other guests of the host only
    add to a time.
    """

    clock = "wall"

    def __init__(self, sample_ms: float = BATCH_MS["wall"], rate: Callable[[], float] | None = None) -> None:
        self.sample_ms = sample_ms  # smallest time of all batches of a sample
        self.rate = rate or no_rate

    def time(self, run: Callable[[], object], repeats: int = 1) -> tuple[float, float]:
        warm(run)
        end = time.perf_counter() + self.sample_ms / 1e3
        fastest = batch_ms(run, repeats)
        while time.perf_counter() < end:
            fastest = min(fastest, batch_ms(run, repeats))
        return fastest / repeats, 0.0

    def enough(self, run: Callable[[], object]) -> int:
        warm(run)
        return enough(partial(batch_ms, run), LEAST_MS, MOST_REPEATS)


def no_rate() -> float:
    """Return the rate of a device that needs no waiting."""
    return 0.0


@contextmanager
def visited_processors() -> Iterator[Callable[[], float]]:
    """Yield a function that moves this thread to the next of its processors, and returns the rate of fixed work there.

    A processor that shares its core with another guest of the host may take 1.5 to 2 times as long, for seconds, which
    no clock of this system shows. New threads would stay on the processor of the creating thread, so the function is
    for work of one thread.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield rate_here
        return
    before = os.sched_getaffinity(0)
    following = cycle(sorted(before))

    def rate() -> float:
        os.sched_setaffinity(0, {next(following)})
        return rate_here()

    try:
        yield rate
    finally:
        os.sched_setaffinity(0, before)


def rate_here() -> float:
    """Return the additions of fixed work in a millisecond."""
    return LOOK / batch_ms(lambda: sum(range(LOOK)), 1)


def batch_ms(run: Callable[[], object], repeats: int) -> float:
    """Return the milliseconds of `repeats` runs in a row."""
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return (time.perf_counter() - start) * 1e3


def warm(run: Callable[[], object]) -> None:
    """Wait until no other thread of this process works, then run for a moment."""
    for _ in range(MOST_RESTS):
        time.sleep(REST_SECONDS)  # equal for all work, because schedulers favour threads that slept
        if not others_work():
            break
    end = time.perf_counter() + WARM_SECONDS
    run()
    while time.perf_counter() < end:
        run()


def others_work() -> bool:
    """Return whether another thread of this process runs or is ready to. CPU times would not show it, because the
    kernel counts them only every few milliseconds."""
    if not TASKS.is_dir():
        time.sleep(BLIND_SECONDS)
        return False
    own = str(threading.get_native_id())
    for task in TASKS.iterdir():
        with suppress(OSError):  # the thread has ended
            if task.name != own and (task / "stat").read_text().rpartition(")")[2].split()[0] == "R":
                return True
    return False
