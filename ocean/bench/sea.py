"""The sea from amplitudes to maps, beside the transforms alone: fused and in separate passes, one cascade and three."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
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
from ocean.settings import load_settings
from ocean.simulation import Sea

SIZES = range(16, 4097, 2)  # that seas have
LIMIT = 2e-6  # relative L2 of the maps: evolution and transform
TIME = 1234.5  # s
OTHERS = {"separate": "fft.fused=false", "half-derivatives": "fft.half_derivatives=true"}
"""Other ways to the maps of one cascade, and the setting that says so."""
SEVERAL, SEVERAL_AT = 3, 512
"""Cascades of a usual sea, and the size at which they are held against one."""


class MadeSea:
    """One sea at one time, whose maps every candidate makes."""

    def __init__(self, ctx: moderngl.Context, size: int, cascades: int) -> None:
        self.overrides = [f"fft.size={size}", f"cascades.count={cascades}", "foam.resolution=256"]
        self.sea = Sea(ctx, load_settings(overrides=self.overrides))
        self.frame = self.sea.begin(TIME)
        self.plans: dict[int, FFTPlan] = {}  # by identity of the result

    @cached_property
    def expected(self) -> NDArray[np.complex128]:
        """The maps by numpy in float64, of the spectrum that the GPU evolves."""
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

        return Candidate(result, timer, nothing, run, layers.read, lambda: self.expected)

    def forget(self) -> None:
        """Release the plans that candidates were made of, and that are not the sea's own."""
        for plan in self.plans.values():
            plan.release()
        self.plans.clear()

    def release(self) -> None:
        self.sea.release()


class SeaRuns(MadeSea):
    """The passes of one sea, and of others that come to the same maps."""

    def __init__(self, ctx: moderngl.Context, size: int, cascades: int) -> None:
        super().__init__(ctx, size, cascades)
        others = OTHERS if cascades == 1 else {}
        self.others = {name: Sea(ctx, load_settings(overrides=[*self.overrides, key])) for name, key in others.items()}
        for sea in self.others.values():
            sea.begin(TIME)

    def candidates(self, timer: Stopwatch) -> Iterator[tuple[str, Candidate]]:
        """What a row calls its part, and the candidate: passes to the maps, and all passes of the sea."""
        for name, sea in {**self.others, "fused": self.sea}.items():
            before = [step.name for step in sea.passes].index("mip levels")
            yield "maps", self.candidate(name, sea.plan, sea.passes[:before], sea.layers, timer)
        for name, sea in {"sea": self.sea, **self.others}.items():
            if name != "separate":
                yield "sea", self.candidate(name, sea.plan, sea.passes, sea.layers, timer)

    def release(self) -> None:
        for sea in (self.sea, *self.others.values()):
            sea.release()


def nothing() -> None:
    """What fills an input that stays as it is."""


class SeaRows:
    """The candidates of a case and the rows that they become."""

    def __init__(self, ctx: moderngl.Context, case: Case, timer: Stopwatch) -> None:
        is_sea = case.workload == "ocean" and case.size in SIZES
        counts = ((1, SEVERAL) if case.size == SEVERAL_AT else (1,)) if is_sea else ()
        self._runs = [(count, SeaRuns(ctx, case.size, count)) for count in counts]
        self._case = case
        self._found = [(count, part, one) for count, runs in self._runs for part, one in runs.candidates(timer)]
        self._again: list[Candidate] = []
        self.twins: list[tuple[Result, Result]] = []
        """The way to the maps of several cascades, and the same of another such sea, whose memory lies elsewhere."""
        if SEVERAL in counts:
            again = SeaRuns(ctx, case.size, SEVERAL)
            self._runs.append((SEVERAL, again))
            first = next(one for count, part, one in self._found if (count, part) == (SEVERAL, "maps"))
            self._again = [next(one for part, one in again.candidates(timer) if part == "maps")]
            self.twins = [(first.result, self._again[0].result)]

    @property
    def candidates(self) -> list[Candidate]:
        return [*(one for _, _, one in self._found), *self._again]

    def rows(self, make: Callable[..., Any]) -> list[Any]:
        """A row of each, by what makes one of a case and a result; what is counted is of its transforms."""
        plans = {key: plan for _, runs in self._runs for key, plan in runs.plans.items()}
        return [
            make(
                replace(self._case, batch=self._case.batch * count),
                one.result,
                part=part,
                options=f"cascades={count}",
                layers=2 * count,
                **counted(plans[id(one.result)]),
            )
            for count, part, one in self._found
        ]

    def release(self) -> None:
        for _, runs in self._runs:
            runs.release()
