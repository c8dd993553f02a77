"""Tables of roots of unity, computed by the GPU with an invocation for each root (Davis and Dharma)."""

from functools import partial
from typing import Any

from ocean.bench.cases import Case, powers
from ocean.bench.contest import Found, Request, Task, noise_of, row_of
from ocean.fft.comparison import CopyKernel
from ocean.fft.contract import FFTPlan
from ocean.fft.kernels import PlaneTransform, roots_of_unity
from ocean.fft.measure import Measurement
from ocean.fft.options import KernelOptions
from ocean.fft.storage import ROWS, FieldStorage
from ocean.gpu.context import is_software
from tools.papers.lines import compared

SIZES, SOFTWARE_SIZES = powers(8, 26, 2), powers(8, 14, 2)
LIMIT = 2e-7
"""Limit of the relative L2 error: a root is a rounded polynomial with an error of 2e-8."""


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
        self.step(self._kernel, self.size, in_place=True)


def steps(request: Request) -> list[Task]:
    sizes = request.sizes or (SOFTWARE_SIZES if is_software(request.ctx) else SIZES)
    return [partial(measure, request, size) for size in sizes]


def measure(request: Request, size: int) -> Found:
    """Measure the table of one size next to a copy of it."""
    case = Case("roots", size, 1, 1, "buffer", inverse=True, seed=request.seed, transforms=False)
    roots, again = Measurement("roots", error_limit=LIMIT), Measurement("roots", error_limit=LIMIT)
    copy = Measurement("copy", error_limit=0.0)
    with compared(request, case) as comparison:
        for result in (roots, again):
            made = FFTPlan((RootsOfUnity(comparison.storage),))
            comparison.add(result, made, lambda: roots_of_unity(size)[None, None])
        comparison.add(copy, FFTPlan((CopyKernel(comparison.storage),)), lambda: comparison.input, competes=False)
    clock = request.trial.clock
    rows = [row_of(case, clock, roots, layers=1), row_of(case, clock, copy, kind="copy", layers=1)]
    return Found(rows, noise_of("roots", size, [(roots, again)]))
