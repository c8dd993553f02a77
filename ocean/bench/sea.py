"""The sea from amplitudes to maps, beside the transforms alone: fused and in separate passes, one cascade and three;
and what its frames cost the CPU."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.bench.cases import Case
from ocean.bench.counted import counted
from ocean.fft.contract import FFTPlan
from ocean.fft.measure import Candidate, Result
from ocean.fft.storage import FieldLayers
from ocean.gpu.passes import Pass
from ocean.gpu.stopwatch import Stopwatch
from ocean.sea.sea import Sea
from ocean.settings import load_settings

SIZES = range(16, 4097, 2)  # that seas have
LIMIT = 2e-6  # relative L2 of the maps: evolution and transform
LATEST = 3600.0  # s, of the time at which a sea is looked at
OTHERS = {"separate": "fft.fused=false", "half-derivatives": "fft.half_derivatives=true"}
"""Other ways to the maps of one cascade, and the setting that says so."""
SUBMIT = "submit"
"""The part that the CPU has in a frame of the sea: to begin it, and to submit all its passes."""
STEP, SPEED = 1 / 60, 5.0  # s from frame to frame, m/s of the place that the foam is kept around, along both axes
BATCH, BATCH_MS = 16, 100.0  # frames between two waits for the GPU, and how long they may take
SEVERAL, SEVERAL_AT = 3, 512
"""Cascades of a usual sea, and the size at which they are held against one."""


def nothing() -> None:
    """What fills an input that stays as it is."""


@dataclass
class Submission(Candidate):
    """A candidate whose runs are timed one by one, by what the thread that submits them computes. The GPU is waited for
    before a batch of them, so that none waits for room in its queue."""

    drain: Callable[[], object] = nothing

    def prepare(self) -> None:
        self.run()
        self.result.repeats = 1

    def sample(self) -> None:
        self.drain()
        self.run()  # which wakes the GPU
        times: list[float] = []
        while len(times) < BATCH and sum(times) < BATCH_MS:
            start = time.thread_time()
            self.run()
            times.append((time.thread_time() - start) * 1e3)
        self.result.gpu_samples += times
        self.result.cpu_samples += times


class MadeSea:
    """One sea at one time, whose maps every candidate makes."""

    def __init__(self, ctx: moderngl.Context, size: int, cascades: int, seed: int) -> None:
        self.overrides = [f"fft.size={size}", f"cascades.count={cascades}", "foam.resolution=256", f"sea.seed={seed}"]
        self.time = float(np.random.default_rng(seed).uniform(0.0, LATEST))
        self.sea = Sea(ctx, load_settings(overrides=self.overrides))
        self.frame = self.sea.begin(self.time)
        self.plans: dict[int, FFTPlan] = {}  # by identity of the result

    @cached_property
    def expected(self) -> NDArray[np.complex128]:
        """The maps that every candidate makes."""
        return self.expect()

    def rewind(self) -> None:
        """Let the sea be at its time again, if it has run on."""
        self.frame = self.sea.begin(self.time)

    def expect(self) -> NDArray[np.complex128]:
        """The sea's maps as it stands, by numpy in float64, of the spectrum that the GPU evolves."""
        layers = FieldLayers(self.sea.ctx, self.sea.layers.width, self.sea.layers.layers)
        self.sea.evolve_into(layers)
        spectrum = layers.read().astype(np.complex128)
        layers.release()
        return np.fft.ifft2(spectrum, norm="forward")

    def candidate(
        self, name: str, plan: FFTPlan, steps: tuple[Pass, ...], layers: FieldLayers, timer: Stopwatch
    ) -> Candidate:
        """One whose steps, among which the plan's are, make these maps in layers."""
        result = Result(name, error_limit=LIMIT)
        self.plans[id(result)] = plan
        result.dispatches = sum(step.dispatches for step in steps)
        result.bytes_moved = sum(step.bytes_moved for step in steps)

        def run() -> None:
            for step in steps:
                step.run(self.frame)

        return Candidate(result, timer, self.rewind, run, layers.read, lambda: self.expected)

    def forget(self) -> None:
        """Release the plans that candidates were made of, and that are not the sea's own."""
        for plan in self.plans.values():
            plan.release()
        self.plans.clear()

    def release(self) -> None:
        self.sea.release()


class SeaRuns(MadeSea):
    """The passes of one sea, and of others that come to the same maps."""

    def __init__(self, ctx: moderngl.Context, size: int, cascades: int, seed: int) -> None:
        super().__init__(ctx, size, cascades, seed)
        others = OTHERS if cascades == 1 else {}
        self.others = {name: Sea(ctx, load_settings(overrides=[*self.overrides, key])) for name, key in others.items()}
        for sea in self.others.values():
            sea.begin(self.time)

    def candidates(self, timer: Stopwatch) -> Iterator[tuple[str, Candidate]]:
        """What a row calls its part, and the candidate: passes to the maps, and all passes of the sea."""
        for name, sea in {**self.others, "fused": self.sea}.items():
            before = [step.name for step in sea.passes].index("mip levels")
            yield "maps", self.candidate(name, sea.plan, sea.passes[:before], sea.layers, timer)
        for name, sea in {"sea": self.sea, **self.others}.items():
            if name != "separate":
                yield "sea", self.candidate(name, sea.plan, sea.passes, sea.layers, timer)
        yield SUBMIT, self.frames(timer)

    def frames(self, timer: Stopwatch) -> Candidate:
        """The sea as a program runs it, each frame at a time of its own and around another place."""
        numbers = count(1)

        def run() -> None:
            elapsed = next(numbers) * STEP
            self.sea.update(self.time + elapsed, (SPEED * elapsed, -SPEED * elapsed))

        result = Result("sea", error_limit=LIMIT, dispatches=sum(step.dispatches for step in self.sea.passes))
        read = self.sea.layers.read
        return Submission(result, timer, nothing, run, read, self.expect, drain=self.sea.ctx.finish)

    def release(self) -> None:
        for sea in (self.sea, *self.others.values()):
            sea.release()


class SeaRows:
    """The candidates of a case and the rows that they become."""

    def __init__(self, ctx: moderngl.Context, case: Case, timer: Stopwatch) -> None:
        is_sea = case.workload == "ocean" and case.size in SIZES
        counts = ((1, SEVERAL) if case.size == SEVERAL_AT else (1,)) if is_sea else ()
        self._runs = [(cascades, SeaRuns(ctx, case.size, cascades, case.seed)) for cascades in counts]
        self._case = case
        self._found = [(cascades, part, one) for cascades, runs in self._runs for part, one in runs.candidates(timer)]
        self._again: list[Candidate] = []
        self.twins: list[tuple[Result, Result]] = []
        """A sea of several cascades and another such one, whose memory lies elsewhere: to the maps, and in all."""
        if SEVERAL in counts:
            again = SeaRuns(ctx, case.size, SEVERAL, case.seed)
            self._runs.append((SEVERAL, again))
            first = [one for cascades, part, one in self._found if cascades == SEVERAL and part != SUBMIT]
            self._again = [one for part, one in again.candidates(timer) if part != SUBMIT]
            self.twins = [(one.result, twin.result) for one, twin in zip(first, self._again, strict=True)]

    @property
    def candidates(self) -> list[Candidate]:
        return [*(one for _, _, one in self._found), *self._again]

    def rows(self, make: Callable[..., Any]) -> list[Any]:
        """A row of each, by what makes one of a case and a result; what is counted is of its transforms."""
        plans = {key: plan for _, runs in self._runs for key, plan in runs.plans.items()}
        return [
            make(
                replace(self._case, batch=self._case.batch * cascades),
                one.result,
                part=part,
                options=f"cascades={cascades}",
                layers=2 * cascades,
                **({"clock": "thread"} if part == SUBMIT else counted(plans[id(one.result)])),
            )
            for cascades, part, one in self._found
        ]

    def release(self) -> None:
        for _, runs in self._runs:
            runs.release()
