"""The sea from amplitudes to maps, beside the transforms alone: fused and in separate passes, with one cascade and
three; and the CPU time of its frames."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.bench.cases import SEVERAL, Case, counted
from ocean.bench.rows import Row
from ocean.fft.contract import FFTPlan
from ocean.fft.measure import Candidate, Measurement
from ocean.fft.storage import FieldLayers
from ocean.gpu.passes import Pass
from ocean.gpu.stopwatch import Stopwatch
from ocean.sea.sea import Sea
from ocean.settings import load_settings

SIZES = range(16, 4097, 2)  # sizes of seas
LIMIT = 2e-6  # largest relative L2 error of the maps: evolution and transform
LATEST = 3600.0  # latest time of a sea [s]
OTHERS = {"separate": "fft.fused=false", "half-derivatives": "fft.half_derivatives=true"}
"""Other ways to compute the maps of one cascade, with their settings."""
SUBMIT = "submit"
"""The part of rows with the CPU time of a frame of the sea: beginning it and submitting its passes."""
STEP, SPEED = 1 / 60, 5.0  # step of time [s]; speed of the foam map along both axes [m/s]
FOAM = 256  # texels of the foam map along each axis
BATCH, BATCH_MS = 16, 100.0  # most frames between two waits for the GPU, and their longest time
TRANSFORMS = 4  # transforms of a cascade


def nothing() -> None:
    """Do nothing: the input stays as it is."""


@dataclass
class Submission(Candidate):
    """A candidate whose runs are timed one by one, by the CPU time of the thread that submits them. It waits for the
    GPU before each batch, so that no run waits for room in the queue."""

    drain: Callable[[], object] = nothing

    def prepare(self) -> None:
        self.run()
        self.result.repeats = 1

    def sample(self) -> None:
        self.drain()
        self.run()  # wakes the GPU
        times: list[float] = []
        while len(times) < BATCH and sum(times) < BATCH_MS:
            start = time.thread_time()
            self.run()
            times.append((time.thread_time() - start) * 1e3)
        self.result.samples_ms += times
        self.result.submit_samples_ms += times


class MadeSea:
    """One sea at one time, whose maps every candidate computes."""

    def __init__(self, ctx: moderngl.Context, size: int, cascades: int, seed: int) -> None:
        self.overrides = [f"fft.size={size}", f"cascades.count={cascades}", f"sea.seed={seed}"]
        self.overrides += [f"foam.resolution={FOAM}", "fft.half_derivatives=false"]
        self.time = float(np.random.default_rng(seed).uniform(0.0, LATEST))
        self.sea = Sea(ctx, load_settings(overrides=self.overrides))
        self.sea.begin(self.time)
        self.plans: dict[Measurement, FFTPlan] = {}

    @cached_property
    def expected(self) -> NDArray[np.complex128]:
        return self.expect()

    def rewind(self) -> None:
        self.sea.begin(self.time)

    def expect(self) -> NDArray[np.complex128]:
        """Return the sea's current maps by numpy in float64, from the spectrum that the GPU evolves."""
        layers = self.sea.storage.another()
        self.sea.evolve_into(layers)
        spectrum = layers.read().astype(np.complex128)
        layers.release()
        return np.fft.ifft2(spectrum, norm="forward")

    def candidate(
        self, name: str, plan: FFTPlan, steps: tuple[Pass, ...], layers: FieldLayers, timer: Stopwatch
    ) -> Candidate:
        """Return a candidate whose steps, with the plan's, compute these maps in layers."""
        result = Measurement(name, error_limit=LIMIT)
        self.plans[result] = plan
        result.dispatches = sum(step.dispatches for step in steps)
        result.bytes = sum(step.bytes_moved for step in steps)

        def run() -> None:
            for step in steps:
                step.run()

        return Candidate(result, timer, self.rewind, run, layers.read, lambda: self.expected)

    def forget(self) -> None:
        for plan in self.plans.values():
            plan.release()
        self.plans.clear()

    def release(self) -> None:
        self.sea.release()


class SeaRuns(MadeSea):
    """The passes of one sea, and of others with the same maps."""

    def __init__(self, ctx: moderngl.Context, size: int, cascades: int, seed: int) -> None:
        super().__init__(ctx, size, cascades, seed)
        others = OTHERS if cascades == 1 else {}
        self.others = {name: Sea(ctx, load_settings(overrides=[*self.overrides, key])) for name, key in others.items()}
        for sea in self.others.values():
            sea.begin(self.time)

    def candidates(self, timer: Stopwatch) -> Iterator[tuple[str, Candidate]]:
        """Yield the name of the part and the candidate: the passes up to the maps, and all passes of the sea."""
        for name, sea in {**self.others, "fused": self.sea}.items():
            yield "maps", self.candidate(name, sea.plan, sea.map_passes, sea.storage, timer)
        for name, sea in {"sea": self.sea, **self.others}.items():
            if name != "separate":
                yield "sea", self.candidate(name, sea.plan, sea.passes, sea.storage, timer)
        yield SUBMIT, self.frames(timer)

    def frames(self, timer: Stopwatch) -> Candidate:
        """Return the sea in a running program: each frame has another time and another place."""
        numbers = count(1)

        def run() -> None:
            elapsed = next(numbers) * STEP
            self.sea.update(self.time + elapsed, (SPEED * elapsed, -SPEED * elapsed))

        result = Measurement("sea", error_limit=LIMIT, dispatches=sum(step.dispatches for step in self.sea.passes))
        read = self.sea.storage.read
        return Submission(result, timer, nothing, run, read, self.expect, drain=self.sea.ctx.finish)

    def release(self) -> None:
        for sea in (self.sea, *self.others.values()):
            sea.release()


class SeaRows:
    """The candidates of a case, and their rows."""

    def __init__(self, ctx: moderngl.Context, case: Case, timer: Stopwatch) -> None:
        counts = case.seas if case.size in SIZES else ()
        self._runs = [(cascades, SeaRuns(ctx, case.size, cascades, case.seed)) for cascades in counts]
        self._case = case
        self._found = [(cascades, part, one) for cascades, runs in self._runs for part, one in runs.candidates(timer)]
        self._again: list[Candidate] = []
        self.twins: list[tuple[Measurement, Measurement]] = []
        """A sea of several cascades and a copy of it elsewhere in memory: up to the maps, and in all."""
        if SEVERAL in counts:
            again = SeaRuns(ctx, case.size, SEVERAL, case.seed)
            self._runs.append((SEVERAL, again))
            first = [one for cascades, part, one in self._found if cascades == SEVERAL and part != SUBMIT]
            self._again = [one for part, one in again.candidates(timer) if part != SUBMIT]
            self.twins = [(one.result, twin.result) for one, twin in zip(first, self._again, strict=True)]

    @property
    def candidates(self) -> list[Candidate]:
        return [*(one for _, _, one in self._found), *self._again]

    def rows(self, clock: str, make: Callable[..., Row]) -> list[Row]:
        """Return a row for each candidate, by a function of a case, a clock and a result. Counts are of its
        transforms."""
        plans = {result: plan for _, runs in self._runs for result, plan in runs.plans.items()}
        return [
            make(
                replace(self._case, batch=TRANSFORMS * cascades),
                "thread" if part == SUBMIT else clock,
                one.result,
                part=part,
                options=f"cascades={cascades}",
                layers=2 * cascades,
                **({} if part == SUBMIT else counted(plans[one.result])),
            )
            for cascades, part, one in self._found
        ]

    def release(self) -> None:
        for _, runs in self._runs:
            runs.release()
