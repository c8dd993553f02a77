"""Comparisons of candidates other than transforms, such as copies, on one line of a buffer."""

from collections.abc import Iterator
from contextlib import contextmanager

from ocean.bench.cases import Case
from ocean.bench.contest import Request
from ocean.fft.comparison import Comparison
from ocean.fft.storage import FieldBuffers


@contextmanager
def compared(request: Request, case: Case) -> Iterator[Comparison]:
    """Yield an empty comparison on the line of a case, measure the candidates that were added, and release it."""
    case.refuse(request.ctx)
    storage, data = FieldBuffers(request.ctx, (1, case.size), 1, 1), case.input()
    comparison = Comparison(
        storage,
        lambda: storage.write(data),
        backends=(),
        axes=case.axes,
        clock=request.trial.clock,
        rounds=request.rounds,
    )
    try:
        yield comparison
        while comparison.step():
            continue
    finally:
        comparison.release()
