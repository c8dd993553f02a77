"""The request of a bench, and the answer of a workload."""

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

import moderngl

from ocean.bench.peers import PeerGroup, find_peers
from ocean.bench.rows import BenchError, Noise, Peer, Row
from ocean.fft.comparison import Choice, first_obstacle
from ocean.fft.measure import ROUNDS
from ocean.gpu.context import create_headless_context
from ocean.gpu.timing import ClockTrial, try_clocks

SEEDS = 1 << 31  # number of seeds, as for a sea


@dataclass
class Request:
    """A request. The context is made when a workload first needs it; workloads of the CPU need none. A window passes
    its own context, which is not released."""

    workloads: tuple[str, ...]
    sizes: tuple[int, ...] = ()  # empty: the workload's defaults
    backends: tuple[str, ...] = ()  # empty: all backends that run
    peers: tuple[str, ...] = ()
    rounds: int = ROUNDS
    seconds: float = inf  # time limit: later no case starts, and tuning tries no options
    given: moderngl.Context | None = None
    seed: int = field(default_factory=lambda: secrets.randbelow(SEEDS))  # seed of random numbers and times
    _start: float = field(default_factory=time.perf_counter, init=False)

    @cached_property
    def ctx(self) -> moderngl.Context:
        return self.given or create_headless_context()

    @cached_property
    def trial(self) -> ClockTrial:
        """The trusted clock, with the reason."""
        return try_clocks(self.ctx)

    @cached_property
    def others(self) -> PeerGroup:
        """The peers, on the GPU that OpenGL renders on."""
        return find_peers(self.peers, str(self.ctx.info["GL_RENDERER"]))

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self._start

    @property
    def is_over(self) -> bool:
        return self.elapsed > self.seconds

    def refuse_unable(self, size: int, lengths: Iterable[int], choices: Sequence[Choice]) -> None:
        """Raise BenchError when size and backends were requested, and none of them transforms these lengths."""
        if self.sizes and self.backends:
            obstacles = [(choice[0], first_obstacle(self.ctx, choice, lengths)) for choice in choices]
            if all(reason for _, reason in obstacles):
                reasons = "; ".join(f"{name}: {reason}" for name, reason in dict(obstacles).items())
                raise BenchError(f"--sizes: no backend of --backends runs {size} ({reasons})")

    @property
    def uses_gpu(self) -> bool:
        return "ctx" in self.__dict__

    def release(self) -> None:
        if self.uses_gpu and self.given is None:
            self.ctx.release()


@dataclass
class Found:
    rows: list[Row] = field(default_factory=list)
    noise: list[Noise] = field(default_factory=list)
    peers: list[Peer] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # notes printed at the end


Task = Callable[[], Found]
"""A function that measures one case of a workload."""
