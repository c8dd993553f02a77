"""Times on the CPU by the wall clock, without influence of the work before."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from ocean.gpu.stopwatch import BATCH_MS, enough

MOST_REPEATS = 1 << 17
"""Runs of one sample: the shortest take less than a microsecond."""
REST_SECONDS, MOST_RESTS = 1e-3, 250
"""Length and number of waits for threads that still work: OpenMP's spin for some 10 ms after each of FFTW's
transforms."""
TASKS, BLIND_SECONDS = Path("/proc/self/task"), 0.02
"""Folder in which Linux shows the states of threads; and the wait on other systems."""
WARM_SECONDS = 2e-3


class HostTimer:
    """A timer of work on the CPU by the wall clock; submitting takes no time. The work is warm and runs alone. Threads
    of earlier work, such as FFTW's, may still spin on the cores, and it may have lost its data from the caches."""

    clock = "wall"

    def __init__(self, sample_ms: float = BATCH_MS["wall"]) -> None:
        self.sample_ms = sample_ms  # least time of a sample

    def time(self, run: Callable[[], object], repeats: int = 1) -> tuple[float, float]:
        warm(run)
        return batch_ms(run, repeats) / repeats, 0.0

    def enough(self, run: Callable[[], object]) -> int:
        warm(run)
        return enough(partial(batch_ms, run), self.sample_ms, MOST_REPEATS)

    def rate(self) -> float:
        return 0.0  # each timing warms up itself


def batch_ms(run: Callable[[], object], repeats: int) -> float:
    """Return the milliseconds of so many runs in a row."""
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return (time.perf_counter() - start) * 1e3


def warm(run: Callable[[], object]) -> None:
    """Wait until no other thread of this process works, then run for a moment."""
    for _ in range(MOST_RESTS):
        time.sleep(REST_SECONDS)  # the same for all, since a scheduler favours threads that slept
        if not others_work():
            break
    end = time.perf_counter() + WARM_SECONDS
    run()
    while time.perf_counter() < end:
        run()


def others_work() -> bool:
    """Return whether another thread of this process runs or wants to. CPU times would not tell, since the kernel counts
    them only every few milliseconds."""
    if not TASKS.is_dir():
        time.sleep(BLIND_SECONDS)
        return False
    own = str(threading.get_native_id())
    for task in TASKS.iterdir():
        with suppress(OSError):  # the thread has ended
            if task.name != own and (task / "stat").read_text().rpartition(")")[2].split()[0] == "R":
                return True
    return False
