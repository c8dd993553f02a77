"""Times on the CPU, by the wall clock, that what ran before has no part in."""

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
"""How long to wait at a time for threads that still work, and how often: OpenMP's spin for some 10 ms after each of
FFTW's transforms."""
TASKS, BLIND_SECONDS = Path("/proc/self/task"), 0.02
"""Where Linux says what this process's threads do; and how long to wait where nobody does."""
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

    def rate(self) -> float:
        return 0.0  # nothing to wait for: each time warms up for itself


def batch_ms(run: Callable[[], object], repeats: int) -> float:
    """Milliseconds of so many runs in a row."""
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return (time.perf_counter() - start) * 1e3


def warm(run: Callable[[], object]) -> None:
    """Wait until no other thread of this process works, then run for a moment."""
    for _ in range(MOST_RESTS):
        time.sleep(REST_SECONDS)  # once for all alike: a scheduler favours who has slept
        if not others_work():
            break
    end = time.perf_counter() + WARM_SECONDS
    run()
    while time.perf_counter() < end:
        run()


def others_work() -> bool:
    """Whether another thread of this process runs, or would if there were a core for it. Their CPU time would not do:
    of those that run the kernel counts it once in some milliseconds."""
    if not TASKS.is_dir():
        time.sleep(BLIND_SECONDS)
        return False
    own = str(threading.get_native_id())
    for task in TASKS.iterdir():
        with suppress(OSError):  # it has ended meanwhile
            if task.name != own and (task / "stat").read_text().rpartition(")")[2].split()[0] == "R":
                return True
    return False
