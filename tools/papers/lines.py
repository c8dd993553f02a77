"""Workloads of one line of a buffer other than transforms: tables of roots of unity, computed by the GPU with an
invocation for each root (Davis and Dharma), and copies that read elements with gaps between neighbours (Govindaraju et
al. 2008, section IV.A)."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.bench.cases import Case, powers
from ocean.bench.contest import Found, Request, Task, noise_of, row_of
from ocean.fft.comparison import Comparison, CopyKernel
from ocean.fft.contract import FFTPlan
from ocean.fft.kernels import PlaneTransform, roots_of_unity
from ocean.fft.measure import Measurement
from ocean.fft.options import KernelOptions
from ocean.fft.storage import ROWS, FieldStorage
from ocean.gpu.context import is_software

ROOTS_SIZES, SOFTWARE_ROOTS_SIZES = powers(8, 26, 2), powers(8, 14, 2)
LIMIT = 2e-7  # limit of the relative L2 error: a root is a rounded polynomial with an error of 2e-8
READS_SIZE, SOFTWARE_READS_SIZE = 1 << 24, 1 << 16
STRIDES = (1, 2, 4, 8, 16, 32)


class RootsOfUnity(PlaneTransform[KernelOptions]):
    """Dispatch that fills the only line of a storage with the roots of unity of its length."""

    summary = "Computes a table of roots."
    group = (256, 1)

    def __init__(self, fields: FieldStorage[Any]) -> None:
        super().__init__(fields, ROWS, KernelOptions(twiddles="computed"), 1.0)
        self._kernel = self.compile("fft/root_table.comp", WRITES_FRONT=1)

    @property
    def bytes_moved(self) -> int:
        return self.fields.bytes

    def run(self, inverse: bool) -> None:
        self.set(self._kernel, inverse)
        self.dispatch_along(self._kernel, self.size, in_place=True)


def roots_steps(request: Request) -> list[Task]:
    sizes = request.sizes or (SOFTWARE_ROOTS_SIZES if is_software(request.ctx) else ROOTS_SIZES)
    return [partial(measure_roots, request, size) for size in sizes]


def measure_roots(request: Request, size: int) -> Found:
    case = Case("roots", size, 1, 1, "buffer", inverse=True, seed=request.seed, transforms=False)
    roots, again = Measurement("roots", error_limit=LIMIT), Measurement("roots", error_limit=LIMIT)
    copy = Measurement("copy", error_limit=0.0)

    def add(comparison: Comparison) -> None:
        for result in (roots, again):
            made = FFTPlan((RootsOfUnity(comparison.storage),))
            comparison.add(result, made, lambda: roots_of_unity(size)[None, None])
        comparison.add(copy, FFTPlan((CopyKernel(comparison.storage),)), lambda: comparison.input, competes=False)

    compare(request, case, add)
    clock = request.trial.clock
    rows = [row_of(case, clock, roots, layers=1), row_of(case, clock, copy, kind="copy", layers=1)]
    return Found(rows, noise_of("roots", size, [(roots, again)]))


def reads_steps(request: Request) -> list[Task]:
    sizes = request.sizes or (SOFTWARE_READS_SIZE if is_software(request.ctx) else READS_SIZE,)
    return [partial(measure_reads, request, size) for size in sizes]


def measure_reads(request: Request, size: int) -> Found:
    """Measure copies of a line of one size by strides, the first one twice."""
    case = Case("reads", size, 1, 1, "buffer", inverse=False, seed=request.seed, transforms=False)
    found = [(stride, Measurement("reads", error_limit=0.0)) for stride in (*STRIDES, STRIDES[0])]

    def add(comparison: Comparison) -> None:
        def gathered(stride: int) -> NDArray[np.complex64]:
            return comparison.input.reshape(1, 1, -1, stride).swapaxes(2, 3).reshape(1, 1, -1)

        for stride, result in found:
            comparison.add(result, FFTPlan((CopyKernel(comparison.storage, stride),)), partial(gathered, stride))

    compare(request, case, add)
    clock = request.trial.clock
    rows = [row_of(case, clock, result, layers=1, options=f"stride={stride}") for stride, result in found[:-1]]
    return Found(rows, noise_of("reads", size, [(found[0][1], found[-1][1])]))


def compare(request: Request, case: Case, add: Callable[[Comparison], None]) -> None:
    """Measure the candidates that `add` puts into a comparison on the line of a case."""
    case.refuse(request.ctx)
    comparison = request.comparison(case)
    try:
        add(comparison)
        comparison.run()
    finally:
        comparison.release()
