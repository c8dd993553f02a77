"""Requests, and the contest of one case. All candidates run in the same rounds: backends, peers, a copy, and seas.

One backend takes part twice, first and last in each round. Its two results show the measurement noise. Seas compute
their maps from amplitudes, fused and in passes; the CPU time of their frames is measured, too."""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import count
from math import inf, prod
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.bench.cases import SEVERAL, Case, counted, facts
from ocean.bench.peers import Peers
from ocean.bench.rows import BenchError, Noise, Peer, Row, conventional_flops
from ocean.fft import DEFAULT_BACKEND
from ocean.fft.comparison import Choice, Comparison, first_obstacle
from ocean.fft.contract import FFTPlan
from ocean.fft.measure import ROUNDS, Candidate, Measurement, difference
from ocean.fft.storage import FieldLayers, FieldStorage
from ocean.gpu.context import create_headless_context, drain
from ocean.gpu.passes import Pass
from ocean.gpu.timing import ClockTrial, Stopwatch, try_clocks
from ocean.sea.sea import Sea
from ocean.settings import load_settings

SEEDS = 1 << 31  # number of seeds, as for a sea
SEA_SIZES = range(16, 4097, 2)  # sizes of seas
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

    def comparison(
        self,
        case: Case,
        backends: Sequence[Choice] = (),
        storage: FieldStorage[Any] | None = None,
        values: NDArray[np.complex64] | None = None,
        transfers: bool = False,
    ) -> Comparison:
        """Return a comparison on the case's random input in a storage of its own, or on values in a given storage."""
        into = case.storage(self.ctx) if storage is None else storage
        fill = partial(into.write, case.input() if values is None else values)
        return Comparison(
            into,
            fill,
            backends=backends,
            axes=case.axes,
            inverse=case.inverse,
            clock=self.trial.clock,
            rounds=self.rounds,
            transfers=transfers,
        )

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


def maps_by_numpy(sea: Sea) -> NDArray[np.complex128]:
    """Return the sea's current maps by numpy in float64, from the spectrum that the GPU evolves."""
    layers = sea.storage.another()
    sea.evolve_into(layers)
    spectrum = layers.read().astype(np.complex128)
    layers.release()
    return np.fft.ifft2(spectrum, norm="forward")


class MadeSea:
    """One sea at one time, whose maps every candidate computes, and seas that compute the same maps in other ways."""

    def __init__(self, ctx: moderngl.Context, size: int, cascades: int, seed: int) -> None:
        self.overrides = [f"fft.size={size}", f"cascades.count={cascades}", f"sea.seed={seed}"]
        self.overrides += [f"foam.resolution={FOAM}", "fft.half_derivatives=false"]
        self.time = float(np.random.default_rng(seed).uniform(0.0, LATEST))
        self.sea = Sea(ctx, load_settings(overrides=self.overrides))
        self.sea.begin(self.time)
        self.others: dict[str, Sea] = {}

    @cached_property
    def expected(self) -> NDArray[np.complex128]:
        return maps_by_numpy(self.sea)

    def candidate(self, name: str, steps: tuple[Pass, ...], layers: FieldLayers, timer: Stopwatch) -> Candidate:
        """Return a candidate whose steps compute these maps in layers."""
        result = Measurement(name, error_limit=LIMIT)
        result.dispatches = sum(step.dispatches for step in steps)
        result.bytes = sum(step.bytes_moved for step in steps)

        def run() -> None:
            for step in steps:
                step.run()

        rewind = partial(self.sea.begin, self.time)
        return Candidate(result, timer, rewind, run, layers.read, lambda: self.expected)

    def candidates(self, timer: Stopwatch, with_others: bool) -> Iterator[tuple[str, Candidate, FFTPlan]]:
        """Yield parts, candidates and the plans of their seas: the passes up to the maps, all passes of the sea, and
        the CPU time of frames."""
        for name, key in OTHERS.items() if with_others else ():
            self.others[name] = Sea(self.sea.ctx, load_settings(overrides=[*self.overrides, key]))
            self.others[name].begin(self.time)
        for name, sea in {**self.others, "fused": self.sea}.items():
            yield "maps", self.candidate(name, sea.map_passes, sea.storage, timer), sea.plan
        for name, sea in {"sea": self.sea, **self.others}.items():
            if name != "separate":
                yield "sea", self.candidate(name, sea.passes, sea.storage, timer), sea.plan
        yield SUBMIT, self.frames(timer), self.sea.plan

    def frames(self, timer: Stopwatch) -> Candidate:
        """Return the sea in a running program: each frame has another time and another position."""
        numbers = count(1)

        def run() -> None:
            elapsed = next(numbers) * STEP
            self.sea.update(self.time + elapsed, (SPEED * elapsed, -SPEED * elapsed))

        result = Measurement("sea", error_limit=LIMIT, dispatches=sum(step.dispatches for step in self.sea.passes))
        read, expected = self.sea.storage.read, partial(maps_by_numpy, self.sea)
        return Submission(result, timer, lambda: None, run, read, expected, drain=partial(drain, self.sea.ctx))

    def release(self) -> None:
        for sea in (self.sea, *self.others.values()):
            sea.release()


class SeaRows:
    """The seas of a case as candidates, and their rows."""

    def __init__(self, ctx: moderngl.Context, case: Case, timer: Stopwatch) -> None:
        self._case = case
        self._made: list[MadeSea] = []
        self._found: list[tuple[int, str, Candidate, FFTPlan]] = []  # cascades, part of the workload, candidate, plan
        self._again: list[Candidate] = []
        self.twins: list[tuple[Measurement, Measurement]] = []
        """A sea of several cascades and a copy of it elsewhere in memory, timed up to the maps and as a whole."""

        def made(cascades: int) -> list[tuple[int, str, Candidate, FFTPlan]]:
            self._made.append(MadeSea(ctx, case.size, cascades, case.seed))
            return [(cascades, *one) for one in self._made[-1].candidates(timer, with_others=cascades == 1)]

        for cascades in case.seas if case.size in SEA_SIZES else ():
            found = made(cascades)
            self._found += found
            if cascades == SEVERAL:
                for (_, part, one, _), (_, _, twin, _) in zip(found, made(cascades), strict=True):
                    if part != SUBMIT:
                        self._again.append(twin)
                        self.twins.append((one.result, twin.result))

    @property
    def candidates(self) -> list[Candidate]:
        return [*(one for _, _, one, _ in self._found), *self._again]

    def rows(self, clock: str, make: Callable[..., Row]) -> list[Row]:
        """Return each candidate's row by a function of a case, a clock and a result; counts are of its transforms."""
        rows = []
        for cascades, part, one, plan in self._found:
            case, by = replace(self._case, batch=TRANSFORMS * cascades), "thread" if part == SUBMIT else clock
            counts = {} if part == SUBMIT else counted(plan)
            options = {"part": part, "options": f"cascades={cascades}", "layers": 2 * cascades}
            rows.append(make(case, by, one.result, **options, **counts))
        return rows

    def release(self) -> None:
        for made in self._made:
            made.release()


class Contest:
    """The candidates of a case: the constructor compiles them, the steps of `comparison` measure them."""

    def __init__(
        self,
        request: Request,
        case: Case,
        backends: Sequence[Choice],
        storage: FieldStorage[Any] | None = None,
        values: NDArray[np.complex64] | None = None,
    ) -> None:
        """Compile the candidates. The contest owns the storage from now on; see `Request.comparison`."""
        self._request, self._case = request, case
        with ExitStack() as owned:
            owned.callback(request.others.forget)
            self.comparison = request.comparison(case, backends, storage, values, transfers=True)
            owned.callback(self.comparison.release)
            self._seas = SeaRows(request.ctx, case, self.comparison.stopwatch)
            owned.callback(self._seas.release)
            self._peers = request.others.contestants(case, self.comparison)
            candidates = self.comparison.candidates
            candidates += [one.candidate for one in self._peers if one.candidate]
            candidates += self._seas.candidates
            self._copy = self.comparison.add_copy()
            self._twins = add_twin(candidates, DEFAULT_BACKEND, self.comparison.duplicate_of) + self._seas.twins
            self.release = owned.pop_all().close

    def found(self) -> Found:
        case, clock, comparison = self._case, self._request.trial.clock, self.comparison
        layers = comparison.storage.layers
        rows: list[Row] = []
        for result in comparison.rows:
            taken = comparison.taken_by_auto() if result.name == "auto" and result in comparison.plans else {}
            rows.append(row_of(case, clock, result, layers=layers, **facts(comparison, result) | taken))
        rows += [row_of(case, "cuda", one.result, kind="peer", **one.values) for one in self._peers]
        rows += self._seas.rows(clock, row_of)
        rows.append(row_of(case, clock, self._copy, kind="copy", layers=layers))
        return Found(rows, noise_of(case.workload, case.size, self._twins), self._request.others.records)


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
