"""Copies of memory: of as much data as a transform reads, in the same rounds, and of more than caches hold."""

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
    """A candidate that copies a storage, which belongs to it from now on."""

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
"""Lines and their elements of 16 bytes, by clock: 256 MiB, several times the size of caches, and 32 MiB for CPUs."""


def bandwidth(ctx: moderngl.Context, clock: Clock) -> float:
    """Return the GB/s that a copy of a large buffer reads and writes, without help from caches. The buffer holds random
    numbers, since zeros may be compressed."""
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
