"""Tables of roots of unity, computed by the GPU with an invocation for each root (Davis and Dharma)."""

from functools import partial
from typing import Any

from ocean.bench.cases import Case, powers
from ocean.bench.contest import row_of
from ocean.bench.noise import noise_of
from ocean.bench.request import Found, Request, Step
from ocean.fft.comparison import Comparison, Copy
from ocean.fft.contract import FFTPlan
from ocean.fft.kernels import KernelOptions, PlaneTransform, roots_of_unity
from ocean.fft.measure import Result
from ocean.fft.storage import ROWS, FieldBuffers, FieldStorage
from ocean.gpu.context import is_software

SIZES, SOFTWARE_SIZES = powers(8, 26, 2), powers(8, 14, 2)
LIMIT = 2e-7
"""Relative L2 error: a root is rounded from a polynomial that errs by 2e-8."""


class RootsOfUnity(PlaneTransform):
    """A dispatch that fills the only line of a storage with the roots of unity of its length."""

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


def steps(request: Request) -> list[Step]:
    sizes = request.sizes or (SOFTWARE_SIZES if is_software(request.ctx) else SIZES)
    return [partial(measure, request, size) for size in sizes]


def measure(request: Request, size: int) -> Found:
    """Measure the table of one size beside a copy of it."""
    case = Case("roots", size, 1, 1, "buffer", inverse=True, seed=request.seed)
    case.refuse(request.ctx)
    storage, data = FieldBuffers(request.ctx, (1, size), 1, 1), case.input()
    comparison = Comparison(
        storage,
        lambda: storage.write(data),
        backends=(),
        axes=case.axes,
        clock=request.trial.clock,
        rounds=request.rounds,
    )
    roots, again = Result("roots", error_limit=LIMIT), Result("roots", error_limit=LIMIT)
    copy = Result("copy", error_limit=0.0)
    try:
        for result in (roots, again):
            comparison.add(result, FFTPlan((RootsOfUnity(storage),)), lambda: roots_of_unity(size)[None, None])
        comparison.add(copy, FFTPlan((Copy(storage),)), lambda: comparison.input)
        while comparison.step():
            continue
    finally:
        comparison.release()
    clock = request.trial.clock
    rows = [row_of(case, clock, roots, layers=1), row_of(case, clock, copy, kind="copy", layers=1)]
    return Found(rows, noise_of("roots", size, [(roots, again)]))
