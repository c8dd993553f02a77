"""The sea from amplitudes to maps beside the transforms alone, fused and in passes; and the CPU time of its frames."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import count

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.bench.cases import SEVERAL, Case, counted
from ocean.bench.rows import Row
from ocean.fft.contract import FFTPlan
from ocean.fft.measure import Candidate, Measurement
from ocean.fft.storage import FieldLayers
from ocean.gpu.context import drain
from ocean.gpu.passes import Pass
from ocean.gpu.stopwatch import Stopwatch
from ocean.sea.sea import Sea
from ocean.settings import load_settings

SIZES = range(16, 4097, 2)  # sizes of seas
LIMIT = 2e-6  # largest relative L2 error of the maps: evolution and transform
LATEST = 3600.0  # latest time of a sea [s]
OTHERS = {"separate": "fft.fused=false", "half-derivatives": "fft.half_derivatives=true"}
"""Other ways to compute the maps of one cascade, with their settings."""
SUBMIT = "submit"  # the part of rows with the CPU time of a frame of the sea: beginning it and submitting its passes
STEP, SPEED = 1 / 60, 5.0  # step of time [s]; speed of the foam map along both axes [m/s]
FOAM = 256  # texels of the foam map along each axis
BATCH, BATCH_MS = 16, 100.0  # maximum number of frames between two waits for the GPU, and their longest time
TRANSFORMS = 4  # transforms of a cascade


@dataclass
class Submission(Candidate):
    """A candidate whose runs are timed one by one, by the CPU time of the thread that submits them. It waits for the
    GPU before each batch, so that no run waits for room in the queue."""

    drain: Callable[[], object] = lambda: None

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
    """One sea at one time, whose maps every candidate computes, and seas that compute the same maps in other ways."""

    def __init__(self, ctx: moderngl.Context, size: int, cascades: int, seed: int) -> None:
        self.overrides = [f"fft.size={size}", f"cascades.count={cascades}", f"sea.seed={seed}"]
        self.overrides += [f"foam.resolution={FOAM}", "fft.half_derivatives=false"]
        self.time = float(np.random.default_rng(seed).uniform(0.0, LATEST))
        self.sea = Sea(ctx, load_settings(overrides=self.overrides))
        self.sea.begin(self.time)
        self.others: dict[str, Sea] = {}
        self.plans: dict[Measurement, FFTPlan] = {}

    @cached_property
    def expected(self) -> NDArray[np.complex128]:
        return self.expect()

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

        rewind = partial(self.sea.begin, self.time)
        return Candidate(result, timer, rewind, run, layers.read, lambda: self.expected)

    def forget(self) -> None:
        for plan in self.plans.values():
            plan.release()
        self.plans.clear()

    def candidates(self, timer: Stopwatch, with_others: bool) -> Iterator[tuple[str, Candidate]]:
        """Yield parts and candidates: the passes up to the maps, all passes of the sea, and the CPU time of frames."""
        for name, key in OTHERS.items() if with_others else ():
            self.others[name] = Sea(self.sea.ctx, load_settings(overrides=[*self.overrides, key]))
            self.others[name].begin(self.time)
        for name, sea in {**self.others, "fused": self.sea}.items():
            yield "maps", self.candidate(name, sea.plan, sea.map_passes, sea.storage, timer)
        for name, sea in {"sea": self.sea, **self.others}.items():
            if name != "separate":
                yield "sea", self.candidate(name, sea.plan, sea.passes, sea.storage, timer)
        yield SUBMIT, self.frames(timer)

    def frames(self, timer: Stopwatch) -> Candidate:
        """Return the sea in a running program: each frame has another time and another position."""
        numbers = count(1)

        def run() -> None:
            elapsed = next(numbers) * STEP
            self.sea.update(self.time + elapsed, (SPEED * elapsed, -SPEED * elapsed))

        result = Measurement("sea", error_limit=LIMIT, dispatches=sum(step.dispatches for step in self.sea.passes))
        read = self.sea.storage.read
        return Submission(result, timer, lambda: None, run, read, self.expect, drain=partial(drain, self.sea.ctx))

    def release(self) -> None:
        for sea in (self.sea, *self.others.values()):
            sea.release()


class SeaRows:
    """The seas of a case as candidates, and their rows."""

    def __init__(self, ctx: moderngl.Context, case: Case, timer: Stopwatch) -> None:
        self._case = case
        self._made: list[MadeSea] = []
        self._found: list[tuple[int, str, Candidate]] = []  # cascades, part of the workload, candidate
        self._again: list[Candidate] = []
        self.twins: list[tuple[Measurement, Measurement]] = []
        """A sea of several cascades and a copy of it elsewhere in memory, timed up to the maps and as a whole."""

        def made(cascades: int) -> list[tuple[int, str, Candidate]]:
            self._made.append(MadeSea(ctx, case.size, cascades, case.seed))
            return [(cascades, *one) for one in self._made[-1].candidates(timer, with_others=cascades == 1)]

        for cascades in case.seas if case.size in SIZES else ():
            found = made(cascades)
            self._found += found
            if cascades == SEVERAL:
                for (_, part, one), (_, _, twin) in zip(found, made(cascades), strict=True):
                    if part != SUBMIT:
                        self._again.append(twin)
                        self.twins.append((one.result, twin.result))

    @property
    def candidates(self) -> list[Candidate]:
        return [*(one for _, _, one in self._found), *self._again]

    def rows(self, clock: str, make: Callable[..., Row]) -> list[Row]:
        """Return each candidate's row by a function of a case, a clock and a result; counts are of its transforms."""
        plans = {result: plan for made in self._made for result, plan in made.plans.items()}
        rows = []
        for cascades, part, one in self._found:
            case, by = replace(self._case, batch=TRANSFORMS * cascades), "thread" if part == SUBMIT else clock
            counts = {} if part == SUBMIT else counted(plans[one.result])
            options = {"part": part, "options": f"cascades={cascades}", "layers": 2 * cascades}
            rows.append(make(case, by, one.result, **options, **counts))
        return rows

    def release(self) -> None:
        for made in self._made:
            made.release()
