"""A bench of a running sea's transform, made between its frames. Its report equals a report of `bench`."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import moderngl
import numpy as np

from ocean.bench.cases import Case
from ocean.bench.command import FILES, record, write
from ocean.bench.contest import Contest, Found, Request
from ocean.bench.rows import Bench
from ocean.bench.tuning import Entry, default_pairs
from ocean.common.files import whole_files, writing
from ocean.common.parameters import Parameters
from ocean.common.records import Measured
from ocean.fft import BACKENDS, obstacle
from ocean.fft.measure import Reached
from ocean.gpu.context import is_software
from ocean.gpu.timing import Stopwatch
from ocean.sea.nonlinear import LOSS_PARTS, RUNGE_KUTTA_STAGES, NonlinearWaves
from ocean.sea.sea import Sea

SIZES, SOFTWARE_SIZES = (64, 128, 256, 512, 1024), (16, 32, 64, 128)
MOST_SAMPLES, REPEATS, ENOUGH_MS = 7, 4, 50.0  # samples, stages of a sample, and time that is enough for fewer


class LiveBench:
    """All backends on copies of the spectra of all cascades at one moment; if it `sweeps`, at one size after another on
    random numbers in as many layers."""

    def __init__(
        self, ctx: moderngl.Context, sea: Sea, options: Mapping[str, Parameters], sweeps: bool = False
    ) -> None:
        self._request, self._sea = Request(("ocean",), given=ctx), sea
        self._storage, self._layers, self._sweeps = sea.storage, sea.storage.layers, sweeps
        self._choices = [(name, options.get(name)) for name in BACKENDS]
        self._sizes = (SOFTWARE_SIZES if is_software(ctx) else SIZES) if sweeps else (sea.size,)
        self._number, self._found = 0, Found()  # number of the present size; results of the sizes before
        self._later: Reached | None = None  # of fused pairs and nonlinear waves, once all sizes are done
        self._contest = self._begin()
        self.steps: dict[str, float] = {}
        """The time of a step of nonlinear waves by backend [ms], so far; none in a linear sea."""
        self._step_times = step_times(self._contest.comparison.stopwatch, sea, options)
        self.pairs: list[Entry] = []
        """The pairs of fused axes in a sea of this shape, the fastest first, at the end; none in a sweep."""
        self._pair_rounds = default_pairs(self._request, sea.size, self._layers, options, self.pairs)

    @property
    def subject(self) -> str:
        """The transforms that are measured now."""
        size = self._sizes[self._number]
        return f"{2 * self._layers} transforms of {size} × {size}"

    def _begin(self) -> Contest:
        case = Case("ocean", self._sizes[self._number], 2, 2 * self._layers, "RGBA32F", inverse=True)
        if self._sweeps:
            return Contest(self._request, case, self._choices)
        storage = self._storage.another()
        self._sea.evolve_into(storage)  # a copy, since the sea changes its spectrum
        return Contest(self._request, case, self._choices, storage, storage.read())

    @property
    def rows(self) -> list[Measured]:
        return [one.backend_row(self._request.trial.clock) for one in self._contest.comparison.rows]

    @property
    def reached(self) -> Reached:
        one = self._contest.comparison.reached
        return self._later or one._replace(share=(self._number + one.share) / self._parts)

    @property
    def _parts(self) -> int:
        return len(self._sizes) + (not self._sweeps)  # fused pairs are one more

    @property
    def candidates(self) -> int:
        return len(self._contest.comparison.candidates)

    def fits(self, sea: Sea) -> bool:
        """Return whether the sea still has the measured shape."""
        return sea.storage.layers == self._layers if self._sweeps else sea.storage is self._storage

    def step(self) -> bool:
        """Run one round; without a sweep then the rounds of fused pairs, and the nonlinear waves of one backend after
        another. Return False when all are done."""
        if self._contest.comparison.advance():
            return True
        if self._number + 1 < len(self._sizes):
            self._found = self._all_found()
            self._contest.release()
            self._number += 1
            self._contest = self._begin()
            return True
        if self._sweeps:
            return False
        for pair in self._pair_rounds:
            self._later = Reached((1 + pair.share) / self._parts, f"{pair.name}, fused with the sea")
            return True
        for name, ms in self._step_times:
            self._later, self.steps = Reached(1.0, "steps of nonlinear waves"), {**self.steps, name: ms}
            return True
        return False

    def _all_found(self) -> Found:
        found = self._contest.found()
        return Found([*self._found.rows, *found.rows], [*self._found.noise, *found.noise])

    @property
    def bench(self) -> Bench:
        return record(self._request, self._all_found())

    def release(self) -> None:
        self._pair_rounds.close()
        self._contest.release()
        self._request.release()


def step_times(stopwatch: Stopwatch, sea: Sea, options: Mapping[str, Parameters]) -> Iterator[tuple[str, float]]:
    """Yield the median time of a step [ms] on copies of a sea's nonlinear waves, by backends that can run them."""
    solved = [cascade for cascade in sea.spectrum.cascades if cascade.key.course] if sea.spectrum else []
    for name, backend in BACKENDS.items() if solved else ():
        chosen = options.get(name) or backend.Options()
        settings = sea.settings.fft.model_copy(update={"backend": name, "options": chosen})
        waves = NonlinearWaves(stopwatch.ctx, solved[0], settings)
        try:
            if obstacle(stopwatch.ctx, name, waves.points, chosen) is not None:
                continue
            stage = partial(waves.advance, 0.0, most=1)
            stage()  # starts the waves, and compiles
            samples: list[float] = []
            while len(samples) < MOST_SAMPLES and sum(samples) < ENOUGH_MS:
                repeats = REPEATS if samples and samples[0] < ENOUGH_MS else 1
                samples.append(stopwatch.time(stage, repeats)[0])
        finally:
            waves.release()
        yield name, (RUNGE_KUTTA_STAGES + LOSS_PARTS / waves.parts) * float(np.median(samples))


def save(result: Bench, out: Path) -> None:
    with whole_files(out, FILES) as folder, writing(out):
        write(folder, result)
