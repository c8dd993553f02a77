"""What a person asks of a bench, and what a workload answers with."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

import moderngl

from ocean.bench.copier import bandwidth
from ocean.bench.peers import PeerGroup, find_peers
from ocean.bench.rows import Noise, Peer, Row
from ocean.fft.measure import ROUNDS
from ocean.gpu.context import create_headless_context
from ocean.gpu.timing import ClockTrial, try_clocks

SEEDS = 1 << 31  # as many as a sea has


@dataclass
class Request:
    """What to measure. The context is made when a workload first asks for it: those of the CPU never do. A window gives
    its own, which stays its own."""

    workloads: tuple[str, ...]
    sizes: tuple[int, ...] = ()  # empty: each workload's own
    backends: tuple[str, ...] = ()  # empty: all that run
    peers: tuple[str, ...] = ()
    rounds: int = ROUNDS
    seconds: float = inf  # after which no further case begins, and tuning tries no further options
    given: moderngl.Context | None = None
    seed: int = field(default_factory=lambda: secrets.randbelow(SEEDS))  # of all random numbers and times
    _start: float = field(default_factory=time.perf_counter, init=False)

    @cached_property
    def ctx(self) -> moderngl.Context:
        return self.given or create_headless_context()

    @cached_property
    def trial(self) -> ClockTrial:
        """Which clock to believe, and why."""
        return try_clocks(self.ctx)

    @cached_property
    def others(self) -> PeerGroup:
        """The peers, on the GPU that OpenGL renders on."""
        return find_peers(self.peers, str(self.ctx.info["GL_RENDERER"]))

    @cached_property
    def large_copy(self) -> float:
        """GB/s of a copy of more than caches hold."""
        return bandwidth(self.ctx, self.trial.clock)

    @property
    def elapsed(self) -> float:
        """Seconds since it was made."""
        return time.perf_counter() - self._start

    @property
    def is_over(self) -> bool:
        """Whether the time is up that it may take."""
        return self.elapsed > self.seconds

    @property
    def uses_gpu(self) -> bool:
        return "ctx" in self.__dict__

    def release(self) -> None:
        if self.uses_gpu and self.given is None:
            self.ctx.release()


@dataclass
class Found:
    """The answer of one step."""

    rows: list[Row] = field(default_factory=list)
    noise: list[Noise] = field(default_factory=list)
    peers: list[Peer] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # to be said at the end


Step = Callable[[], Found]
"""One case of a workload, measured when it is called."""
