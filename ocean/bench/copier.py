"""Copies of what a frame's transform works on, measured in the rounds of the frames."""

from functools import partial

import moderngl
import numpy as np

from ocean.bench.cases import SEED
from ocean.bench.rows import Row
from ocean.fft.comparison import Copy
from ocean.fft.contract import FFTPlan
from ocean.fft.measure import Candidate, Result
from ocean.fft.storage import FieldLayers
from ocean.gpu.stopwatch import Stopwatch
from ocean.gpu.timing import Clock


class Copier:
    """Layers of its own, and the candidate that copies them."""

    def __init__(self, ctx: moderngl.Context, size: int, layers: int, clock: Clock) -> None:
        self._stopwatch = Stopwatch(ctx, clock)
        self._layers = FieldLayers(ctx, size, layers)
        self._plan = FFTPlan((Copy(self._layers),))
        data = np.random.default_rng(SEED).standard_normal((2 * layers, size, size, 2), np.float32)
        values = data.view(np.complex64)[..., 0]
        (step,) = self._plan.passes()
        result = Result("copy", error_limit=0.0, dispatches=step.dispatches, bytes_moved=step.bytes_moved)
        fill = partial(self._layers.write, values)
        self.candidate = Candidate(
            result, self._stopwatch, fill, self._plan.inverse, self._layers.read, lambda: values.astype(np.complex128)
        )

    def release(self) -> None:
        self._plan.release()
        self._layers.release()
        self._stopwatch.release()


def with_share(row: Row, copy: Result) -> Row:
    """With the share of a copy's speed that it reaches."""
    share = row.gb_per_s / copy.gb_per_s if row.gb_per_s and copy.gb_per_s else None
    return row.model_copy(update={"copy_share": share})
