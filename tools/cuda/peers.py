"""Peers of the bench, measured in the same rounds, or the reasons why they are missing."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from ocean.bench.cases import Case
from ocean.bench.peers import Contestant, PeerGroup, reason
from ocean.bench.rows import Peer
from ocean.fft.comparison import Comparison
from ocean.fft.measure import Measurement
from tools.cuda.contestants import MAKERS, PARTS
from tools.cuda.device import Cuda, CudaError


class Peers(PeerGroup):
    def __init__(self, names: tuple[str, ...], renderer: str) -> None:
        super().__init__(names)
        self._renderer = renderer
        self._records: dict[str, Peer] = {}

    @cached_property
    def _cuda(self) -> Cuda | str:
        """Return the device, or the reason why there is none."""
        try:
            return Cuda(self._renderer)
        except CudaError as error:
            return str(error)

    @property
    def records(self) -> list[Peer]:
        """Return a record for each peer."""
        return [self.record(name) for name in self.names]

    def record(self, name: str) -> Peer:
        if name not in self._records:
            self._records[name] = self._find(name)
        return self._records[name]

    def _find(self, name: str) -> Peer:
        if isinstance(self._cuda, str):
            return Peer(name=name, version=None, obstacle=self._cuda)
        try:
            version = {
                "cufft": lambda cuda: str(cuda.cupy.cuda.cufft.getVersion()),
                "vkfft": lambda cuda: str(cuda.vkfft.vkfft_version()),
            }.get(name, lambda cuda: f"CuPy {cuda.cupy.__version__}")(self._cuda)
        except Exception as error:  # each library raises its own exceptions
            return Peer(name=name, version=None, obstacle=str(error))
        return Peer(name=name, version=version, obstacle=None)

    def forget(self) -> None:
        """Release the candidates."""
        if "_cuda" in self.__dict__ and isinstance(self._cuda, Cuda):
            self._cuda.forget()

    def contestants(self, case: Case, comparison: Comparison) -> list[Contestant]:
        """Return the available contestants of a case. Each is tried once: its result is correct, or it does not run."""
        found: list[Contestant] = []
        for name in self.names:
            if self.record(name).obstacle is None and not isinstance(self._cuda, str):
                contestants = made(name, MAKERS[name](self._cuda, case, comparison))
                found += (replace(one, part=PARTS.get(name, one.part)) for one in contestants)
        return [tried(one) for one in found]


def made(name: str, contestants: Iterator[Contestant]) -> Iterator[Contestant]:
    """Yield a peer's contestants, and then the reason why others are missing, if any."""
    try:
        yield from contestants
    except Exception as error:  # each library raises its own exceptions
        yield Contestant(Measurement(name, reason(error)), None, "", "")


def tried(contestant: Contestant) -> Contestant:
    """Return the contestant, or the reason why it can't run."""
    candidate, result = contestant.candidate, contestant.result
    if candidate is not None:
        try:
            candidate.check()
            candidate.timer.time(candidate.run)
        except Exception as error:  # each library raises its own exceptions
            result.obstacle = reason(error)
        else:
            if not result.is_right:
                result.obstacle = f"its result is wrong: relative error {result.relative_l2:.1e}"
    if result.obstacle is not None:
        contestant.candidate = None
    return contestant
