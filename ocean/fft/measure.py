"""Comparing backends on the same data: checked before they are timed, then timed in turn, round by round.

A `Comparison` is stepped, one interleaved round of all candidates a step, so that a command runs it to the end and a
running window steps it between frames. Its input is whatever `fill` writes into the layers it is given, such as this
frame's spectrum; every candidate transforms the same numbers, and its result is held against numpy in float64.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean import fft
from ocean.fft.contract import FFTPlan
from ocean.fft.storage import FieldLayers
from ocean.gpu.stopwatch import Stopwatch
from ocean.gpu.timing import Clock, choose_clock
from ocean.parameters import Parameters

WRONG_BEYOND = 1e-4
"""A value is wrong when it differs from float64 by more than this, in units of the result's root mean square."""


@dataclass
class BackendResult:
    """What a comparison found out about one backend; times in milliseconds for one transform of all layers."""

    backend: str
    obstacle: str | None = None
    error_limit: float = 0.0  # that it promises
    dispatches: int = 0
    bytes_moved: int = 0
    relative_error: float = 0.0
    wrong_values: int = 0
    speedup: float = 0.0  # over the first backend that ran
    gpu_samples: list[float] = field(default_factory=list)
    cpu_samples: list[float] = field(default_factory=list)

    @property
    def gpu_ms(self) -> float:
        return float(np.median(self.gpu_samples)) if self.gpu_samples else 0.0

    @property
    def p95_ms(self) -> float:
        return float(np.percentile(self.gpu_samples, 95)) if self.gpu_samples else 0.0

    @property
    def cpu_ms(self) -> float:
        """Time to submit."""
        return float(np.median(self.cpu_samples)) if self.cpu_samples else 0.0

    @property
    def gb_per_s(self) -> float:
        return self.bytes_moved / (self.gpu_ms * 1e6) if self.gpu_ms else 0.0

    @property
    def is_right(self) -> bool:
        return self.relative_error <= self.error_limit and self.wrong_values == 0


class Comparison:
    """Every backend that can run a size, on copies of one input."""

    def __init__(
        self,
        ctx: moderngl.Context,
        fill: Callable[[FieldLayers], None],
        size: int,
        layers: int,
        *,
        clock: Clock | None = None,
        rounds: int = 11,
        options: Mapping[str, Parameters] | None = None,
    ) -> None:
        self.ctx = ctx
        self.clock: Clock = clock or choose_clock(ctx)
        self.rounds = rounds
        self.rows = [BackendResult(name) for name in fft.BACKENDS]
        self._round = 0
        self._fill = fill
        self._layers = FieldLayers(ctx, size, layers)
        self._stopwatch = Stopwatch(ctx, self.clock)
        self._plans: dict[str, FFTPlan] = {}
        self._repeats: dict[str, int] = {}
        for row in self.rows:
            backend = fft.BACKENDS[row.backend]
            chosen = (options or {}).get(row.backend) or backend.Options()
            row.error_limit = backend.error_limit(size, chosen)
            row.obstacle = fft.obstacle(ctx, row.backend, size, chosen)
            if row.obstacle is None:
                self._plans[row.backend] = fft.plan(ctx, row.backend, self._layers, chosen, scale=1 / size)
        self._check()

    def _check(self) -> None:
        """Hold each backend's result against numpy in float64 on the same input."""
        self._fill(self._layers)
        expected = np.fft.ifft2(self._layers.read().astype(np.complex128), norm="ortho")
        for row in self.rows:
            if (plan := self._plans.get(row.backend)) is None:
                continue
            self._fill(self._layers)
            plan.inverse()
            row.relative_error, row.wrong_values = errors(self._layers.read(), expected)
            row.dispatches = sum(step.dispatches for step in plan.passes())
            row.bytes_moved = sum(step.bytes_moved for step in plan.passes())

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        return self._round / self.rounds

    def step(self) -> bool:
        """Measure every backend once; False when all rounds are done."""
        if self._round >= self.rounds:
            return False
        self._wake()
        if self._round == 0:  # warms everything up before the first measurement
            for name, one in self._plans.items():
                self._fill(self._layers)
                self._repeats[name] = self._stopwatch.enough(one.inverse)
        for row in self.rows:
            if (plan := self._plans.get(row.backend)) is not None:
                gpu_ms, cpu_ms = self._time(plan, self._repeats[row.backend])
                row.gpu_samples.append(gpu_ms)
                row.cpu_samples.append(cpu_ms)
        first = next((row for row in self.rows if row.gpu_samples), None)
        for row in self.rows:
            row.speedup = first.gpu_ms / row.gpu_ms if first and row.gpu_ms else 0.0
        self._round += 1
        return self._round < self.rounds

    def run(self) -> list[BackendResult]:
        """All rounds at once."""
        while self.step():
            continue
        return self.rows

    def _wake(self) -> None:
        """The CPU's backend leaves the GPU idle, so each round begins by waking it."""
        busy = next((plan for plan in self._plans.values() if plan.transforms[0].dispatches), None)
        if busy:
            self._stopwatch.wake(busy.inverse)

    def _time(self, plan: FFTPlan, repeats: int) -> tuple[float, float]:
        """Milliseconds that a transform takes by the comparison's clock, and to submit. Each transform works on the
        last one's result; scaled by 1 / size it is unitary, so the numbers neither grow nor fade."""
        self._fill(self._layers)
        return self._stopwatch.time(plan.inverse, repeats)

    def release(self) -> None:
        for plan in self._plans.values():
            plan.release()
        self._layers.release()
        self._stopwatch.release()


def errors(result: NDArray[np.complex64], expected: NDArray[np.complex128]) -> tuple[float, int]:
    """Relative L2 error, and how many values are off by more than WRONG_BEYOND of the root mean square."""
    difference = np.abs(result - expected)
    scale = float(np.sqrt(np.mean(np.abs(expected) ** 2)))
    if scale == 0:
        return (0.0, 0) if not difference.any() else (float("inf"), int(np.count_nonzero(difference)))
    relative = float(np.sqrt(np.mean(difference**2))) / scale
    return relative, int(np.count_nonzero(~(difference <= WRONG_BEYOND * scale)))
