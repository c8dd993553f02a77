"""The bandwidth of a copy that exceeds the caches."""

import moderngl
import numpy as np

from ocean.fft.comparison import CopyKernel
from ocean.fft.contract import FFTPlan
from ocean.fft.storage import FieldBuffers
from ocean.gpu.stopwatch import Stopwatch, medians
from ocean.gpu.timing import Clock

LARGE = {"gpu": (4096, 4096), "wall": (1024, 2048)}
"""Lines and their elements of 16 bytes, by clock: 256 MiB, several times the size of caches, and 32 MiB for CPUs."""


def bandwidth(ctx: moderngl.Context, clock: Clock) -> float:
    """Return the GB/s that a copy of a large buffer reads and writes, without help from caches. The buffer holds random
    numbers, since zeros may be compressed."""
    storage, stopwatch = FieldBuffers(ctx, LARGE[clock], 1), Stopwatch(ctx, clock)
    elements = storage.empty_elements()
    np.random.default_rng(0).random(dtype=np.float32, out=elements.view(np.float32))
    storage.upload(elements)
    plan = FFTPlan((CopyKernel(storage),))
    (step,) = plan.passes()
    try:
        (ms,) = medians(stopwatch.measure(plan.inverse))
        return step.bytes_moved / (ms * 1e6)
    finally:
        plan.release()
        storage.release()
        stopwatch.release()
