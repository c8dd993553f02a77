"""Copies of as much as a transform works on, in memory of their own, measured in the rounds of others."""

from functools import partial
from typing import Any

import numpy as np

from ocean.bench.rows import Row
from ocean.fft.comparison import Copy
from ocean.fft.contract import FFTPlan
from ocean.fft.measure import Candidate, Result
from ocean.fft.storage import FieldStorage
from ocean.gpu.stopwatch import Stopwatch
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


def with_share(row: Row, copy: Result) -> Row:
    """With the share of a copy's speed that it reaches."""
    share = row.gb_per_s / copy.gb_per_s if row.gb_per_s and copy.gb_per_s else None
    return row.model_copy(update={"copy_share": share})
