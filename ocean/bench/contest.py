"""Requests, and the contest of one case. All candidates run in the same rounds: backends, peers, a copy, and seas.

One backend takes part twice, first and last in each round. Its two results show the measurement noise."""

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, prod
from typing import Any

import moderngl

from ocean.bench.cases import Case, facts
from ocean.bench.peers import Peers
from ocean.bench.rows import BenchError, Noise, Peer, Row, conventional_flops
from ocean.bench.sea import SUBMIT, SeaRows
from ocean.fft import DEFAULT_BACKEND
from ocean.fft.comparison import Choice, Comparison, first_obstacle
from ocean.fft.measure import ROUNDS, Candidate, Measurement, difference
from ocean.fft.storage import FieldStorage
from ocean.gpu.context import create_headless_context
from ocean.gpu.timing import ClockTrial, try_clocks

SEEDS = 1 << 31  # number of seeds, as for a sea


@dataclass
class Request:
    """The requested measurements. The context is made at the first use, or given by a window, which keeps it."""

    workloads: tuple[str, ...]
    sizes: tuple[int, ...] = ()  # empty: the workload's defaults
    backends: tuple[str, ...] = ()  # empty: all backends that run
    peers: tuple[str, ...] = ()
    rounds: int = ROUNDS
    seconds: float = inf  # time limit: later no case starts, and tuning tries no options
    given: moderngl.Context | None = None
    seed: int = field(default_factory=lambda: secrets.randbelow(SEEDS))  # seed of random numbers and times
    start: float = field(default_factory=time.perf_counter, init=False)

    @cached_property
    def ctx(self) -> moderngl.Context:
        return self.given or create_headless_context()

    @cached_property
    def trial(self) -> ClockTrial:
        return try_clocks(self.ctx)

    @cached_property
    def others(self) -> Peers:
        return Peers(self.peers, str(self.ctx.info["GL_RENDERER"]))

    @property
    def is_over(self) -> bool:
        return time.perf_counter() - self.start > self.seconds

    def refuse_unable(self, size: int, lengths: Iterable[int], choices: Sequence[Choice]) -> None:
        """Raise BenchError when size and backends were requested, and none of them transforms these lengths."""
        if self.sizes and self.backends:
            obstacles = {choice[0]: first_obstacle(self.ctx, choice, lengths) for choice in choices}
            if all(obstacles.values()):
                reasons = "; ".join(f"{name}: {reason}" for name, reason in obstacles.items())
                raise BenchError(f"--sizes: no backend of --backends runs {size} ({reasons})")

    @property
    def uses_gpu(self) -> bool:
        return "ctx" in self.__dict__

    def release(self) -> None:
        if self.uses_gpu and self.given is None:
            self.ctx.release()


@dataclass
class Found:
    """The measurements of one step of a workload."""

    rows: list[Row] = field(default_factory=list)
    noise: list[Noise] = field(default_factory=list)
    peers: list[Peer] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # notes printed at the end


Task = Callable[[], Found]  # a function that measures one case of a workload


def add_twin(
    candidates: list[Candidate], preferred: str, make: Callable[[Candidate], Candidate] = Candidate.again
) -> list[tuple[Measurement, Measurement]]:
    """Add a copy of one busy candidate, the preferred one if it runs. Return both results, or nothing without one."""
    able = [one for one in candidates if one.competes and not one.idles]
    if not able:
        return []
    first = next((one for one in able if one.result.name == preferred), able[0])
    candidates.append(make(first))
    return [(first.result, candidates[-1].result)]


def noise_of(workload: str, size: int, twins: Sequence[tuple[Measurement, Measurement]]) -> list[Noise]:
    """Return the noise that the two results of each pair show."""
    return [
        Noise(
            workload=workload,
            size=size,
            name=first.name,
            first_ms=first.median_ms,
            second_ms=again.median_ms,
            difference=difference(first.samples_ms, again.samples_ms),
        )
        for first, again in twins
    ]


class Contest:
    """The candidates of a case: the constructor compiles them, the steps of `comparison` measure them."""

    def __init__(
        self,
        request: Request,
        case: Case,
        storage: FieldStorage[Any],
        fill: Callable[[], object],
        backends: Sequence[Choice],
        with_sea: bool = True,
    ) -> None:
        """Compile the candidates. `fill` writes the input into the storage, which belongs to the contest from now on.
        `with_sea` also measures the sea from amplitudes to maps, in cases of the workloads ocean and cascades."""
        self._request, self._case = request, case
        self.comparison = Comparison(
            storage,
            fill,
            backends=backends,
            axes=case.axes,
            inverse=case.inverse,
            clock=request.trial.clock,
            rounds=request.rounds,
            transfers=True,
        )
        self._seas: SeaRows | None = None
        candidates = self.comparison.candidates
        try:
            self._seas = SeaRows(request.ctx, case, self.comparison.stopwatch) if with_sea else None
            self._peers = request.others.contestants(case, self.comparison)
            candidates += [one.candidate for one in self._peers if one.candidate]
            candidates += self._seas.candidates if self._seas else []
            self._copy = self.comparison.add_copy()
            self._twins = add_twin(candidates, DEFAULT_BACKEND, self.comparison.duplicate_of)
            self._twins += self._seas.twins if self._seas else []
        except Exception:
            self.release()
            raise

    def found(self) -> Found:
        case, clock, comparison = self._case, self._request.trial.clock, self.comparison
        layers = comparison.storage.layers
        rows: list[Row] = []
        for result in comparison.rows:
            taken = comparison.taken_by_auto() if result.name == "auto" and result in comparison.plans else {}
            rows.append(row_of(case, clock, result, layers=layers, **facts(comparison, result) | taken))
        rows += [row_of(case, "cuda", one.result, kind="peer", **one.values) for one in self._peers]
        if self._seas:
            rows += self._seas.rows(clock, row_of)
        rows.append(row_of(case, clock, self._copy, kind="copy", layers=layers))
        return Found(rows, noise_of(case.workload, case.size, self._twins), self._request.others.records)

    def release(self) -> None:
        if self._seas:
            self._seas.release()
        self.comparison.release()
        self._request.others.forget()


def row_of(case: Case, clock: str, result: Measurement, **values: Any) -> Row:
    """Return the row of a candidate: the case, the result by a clock, and other values."""
    values |= result.row(clock)
    transforms = case.transforms and values.get("kind") != "copy" and values.get("part") != SUBMIT
    if transforms and result.median_ms:
        values["gflops"] = conventional_flops(prod(case.lengths), case.batch) / (result.median_ms * 1e6)
    return Row(
        workload=case.workload,
        name=result.name,
        dimensions=case.dimensions,
        size=case.size,
        lines=case.lines,
        batch=case.batch,
        storage=values.pop("storage", case.format),
        direction=case.direction,
        **values,
    )
