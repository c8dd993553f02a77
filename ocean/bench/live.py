"""A bench of a running sea's transform, made between its frames. Its report equals a report of `bench`."""

import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import moderngl

from ocean.bench.cases import Case
from ocean.bench.command import FILES, record, write
from ocean.bench.contest import Contest
from ocean.bench.request import Request
from ocean.bench.rows import Bench
from ocean.bench.steps import StepBench
from ocean.common.files import whole_files, writing
from ocean.common.parameters import Parameters
from ocean.common.records import Measured
from ocean.fft import BACKENDS
from ocean.sea.sea import Sea


class LiveBench:
    """All backends on copies of the spectra of all cascades at one moment."""

    def __init__(self, ctx: moderngl.Context, sea: Sea, options: Mapping[str, Parameters]) -> None:
        self._storage = sea.storage
        self._start = time.perf_counter()
        size, layers = sea.size, sea.storage.layers
        self._request = Request(("ocean",), (size,), given=ctx)
        storage = sea.storage.another()
        case = Case("ocean", size, 2, 2 * layers, "RGBA32F", inverse=True)
        sea.evolve_into(storage)
        fill = partial(storage.write, storage.read())  # a copy, since the sea changes its spectrum
        self._contest = Contest(
            self._request, case, storage, fill, [(name, options.get(name)) for name in BACKENDS], with_sea=False
        )
        self._steps = StepBench(self._contest.comparison.stopwatch, sea, options)
        self.subject = f"{2 * layers} transforms of {size} × {size}"

    @property
    def rows(self) -> list[Measured]:
        """The backends' rows so far."""
        return [one.backend_row(self._request.trial.clock) for one in self._contest.comparison.rows]

    @property
    def steps(self) -> dict[str, float]:
        """The time of a step of nonlinear waves by backend [ms], so far; none in a linear sea."""
        return dict(self._steps.times)

    @property
    def progress(self) -> float:
        return self._contest.comparison.progress

    def fits(self, sea: Sea) -> bool:
        """Return whether the sea still has the measured shape."""
        return sea.storage is self._storage

    def step(self) -> bool:
        """Run one round, and then steps of nonlinear waves; return False when all are done."""
        return self._contest.comparison.step() or self._steps.step()

    @property
    def bench(self) -> Bench:
        return record(self._request, self._contest.found(), time.perf_counter() - self._start)

    def release(self) -> None:
        self._contest.release()
        self._request.release()


def save(result: Bench, out: Path) -> None:
    """Write the files of a bench.

    Raises:
        OutputError: when the folder can't be written.
    """
    with whole_files(out, FILES) as folder, writing(out):
        write(folder, result)
