"""Copies: of as much as a transform works on, measured in the rounds of others, and of more than caches hold."""

from functools import partial
from typing import Any

import moderngl
import numpy as np

from ocean.fft.comparison import Copy
from ocean.fft.contract import FFTPlan
from ocean.fft.measure import Candidate, Result
from ocean.fft.storage import FieldBuffers, FieldStorage
from ocean.gpu.stopwatch import Stopwatch, medians
from ocean.gpu.timing import Clock


class Copier:
    """A storage, which is the copier's from now on, and the candidate that copies it."""

    def __init__(self, storage: FieldStorage[Any], clock: Clock, seed: int) -> None:
        self._stopwatch = Stopwatch(storage.ctx, clock)
        self._storage = storage
        self._plan = FFTPlan((Copy(storage),))
        shape = storage.packed * storage.layers, storage.height, storage.width, 2
        values = np.random.default_rng(seed).standard_normal(shape, np.float32).view(np.complex64)[..., 0]
        (step,) = self._plan.passes()
        result = Result("copy", error_limit=0.0, dispatches=step.dispatches, bytes_moved=step.bytes_moved)
        fill = partial(storage.write, values)
        self.candidate = Candidate(
            result, self._stopwatch, fill, self._plan.inverse, storage.read, lambda: values.astype(np.complex128)
        )

    def release(self) -> None:
        self._plan.release()
        self._storage.release()
        self._stopwatch.release()


LARGE = {"gpu": (4096, 4096), "wall": (1024, 2048)}
"""By clock, lines and their elements of 16 bytes: 256 MiB, several times what caches hold; 32 MiB are for CPUs."""


def bandwidth(ctx: moderngl.Context, clock: Clock) -> float:
    """GB/s that a copy of a large buffer reads and writes: what memory can do, and caches have no part in. It holds
    random numbers, as zeros may travel in fewer bytes."""
    storage, stopwatch = FieldBuffers(ctx, LARGE[clock], 1), Stopwatch(ctx, clock)
    elements = storage.empty_elements()
    np.random.default_rng(0).random(dtype=np.float32, out=elements.view(np.float32))
    storage.upload(elements)
    plan = FFTPlan((Copy(storage),))
    (step,) = plan.passes()
    try:
        (ms,) = medians(stopwatch.measure(plan.inverse))
        return step.bytes_moved / (ms * 1e6)
    finally:
        plan.release()
        storage.release()
        stopwatch.release()
