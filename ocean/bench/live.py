"""A bench of a running sea's transform, made between its frames. Its report equals a report of `bench`."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import moderngl
import numpy as np

from ocean import fft
from ocean.bench.cases import Case
from ocean.bench.command import FILES, record, write
from ocean.bench.contest import Contest, Request
from ocean.bench.rows import Bench
from ocean.common.files import whole_files, writing
from ocean.common.parameters import Parameters
from ocean.common.records import Measured
from ocean.fft import BACKENDS
from ocean.gpu.stopwatch import Stopwatch
from ocean.sea.nonlinear import RUNGE_KUTTA_STAGES, NonlinearWaves
from ocean.sea.sea import Sea

MOST_SAMPLES, REPEATS, ENOUGH_MS = 7, 4, 50.0  # samples, stages of a sample, and time that is enough for fewer


class StepBench:
    """Copies of a sea's waves, for backends in turn. Backends that can't run the solver's grid are left out."""

    def __init__(self, stopwatch: Stopwatch, sea: Sea, options: Mapping[str, Parameters]) -> None:
        self._stopwatch, self._settings = stopwatch, sea.settings.fft
        self.times: dict[str, float] = {}
        """Median time of a step of each backend so far [ms]."""
        spectrum = sea.spectrum
        solved = [cascade for cascade in spectrum.cascades if cascade.key.course] if spectrum else []
        self._cascade = solved[0] if solved else None
        self._left = [(name, options.get(name) or one.Options()) for name, one in fft.BACKENDS.items() if solved]

    def step(self) -> bool:
        """Measure one backend; return False when all are done."""
        if self._cascade is None or not self._left:
            return False
        ctx = self._stopwatch.ctx
        name, options = self._left.pop(0)
        chosen = self._settings.model_copy(update={"backend": name, "options": options})
        waves = NonlinearWaves(ctx, self._cascade, chosen)
        try:
            if fft.obstacle(ctx, name, waves.points, options) is None:
                self.times[name] = self._time(partial(waves.advance, 0.0, most=1))  # a stage of the lead
        finally:
            waves.release()
        return bool(self._left)

    def _time(self, stage: Callable[[], object]) -> float:
        """Return the median time of a step [ms], from few stages if they are slow."""
        stage()  # starts the waves, and compiles
        samples: list[float] = []
        while len(samples) < MOST_SAMPLES and sum(samples) < ENOUGH_MS:
            samples.append(self._stopwatch.time(stage, REPEATS if samples and samples[0] < ENOUGH_MS else 1)[0])
        return RUNGE_KUTTA_STAGES * float(np.median(samples))


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
