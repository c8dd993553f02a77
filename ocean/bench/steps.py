"""The time of a step of nonlinear waves through each FFT backend, measured between the frames of a running sea."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from ocean import fft
from ocean.common.parameters import Parameters
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
