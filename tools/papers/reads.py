"""Copies that read elements with gaps between neighbours (Govindaraju et al. 2008, section IV.A)."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from ocean.bench.cases import Case
from ocean.bench.contest import Found, Request, Task, noise_of, row_of
from ocean.fft.comparison import CopyKernel
from ocean.fft.contract import FFTPlan
from ocean.fft.measure import Measurement
from ocean.gpu.context import is_software
from tools.papers.lines import compared

SIZE, SOFTWARE_SIZE = 1 << 24, 1 << 16
STRIDES = (1, 2, 4, 8, 16, 32)


def steps(request: Request) -> list[Task]:
    sizes = request.sizes or ((SOFTWARE_SIZE,) if is_software(request.ctx) else (SIZE,))
    return [partial(measure, request, size) for size in sizes]


def measure(request: Request, size: int) -> Found:
    """Measure copies of a line of one size by strides."""
    case = Case("reads", size, 1, 1, "buffer", inverse=False, seed=request.seed, transforms=False)
    strides = *STRIDES, STRIDES[0]  # the first one twice
    found = [(stride, Measurement("reads", error_limit=0.0)) for stride in strides]
    with compared(request, case) as comparison:

        def gathered(stride: int) -> NDArray[np.complex64]:
            return comparison.input.reshape(1, 1, -1, stride).swapaxes(2, 3).reshape(1, 1, -1)

        for stride, result in found:
            comparison.add(result, FFTPlan((CopyKernel(comparison.storage, stride),)), partial(gathered, stride))
    rows = [
        row_of(case, request.trial.clock, result, layers=1, options=f"stride={stride}") for stride, result in found[:-1]
    ]
    return Found(rows, noise_of("reads", size, [(found[0][1], found[-1][1])]))
