"""The seam to peers: libraries that `tools.cuda`, in a checkout, measures on the same cases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ocean.bench.cases import Case
from ocean.bench.rows import Peer
from ocean.common.resources import TOOLS_MISSING, has_tools
from ocean.fft.comparison import Comparison
from ocean.fft.measure import Candidate, Measurement

PEERS = ("cufft", "vkfft", "pipeline", "dissertation")


@dataclass
class Contestant:
    """A peer's candidate, with the values of its row other than times."""

    result: Measurement
    candidate: Candidate | None  # None if there is an obstacle
    options: str
    storage: str
    plan: str = ""  # the peer's description
    part: str = "transform"  # part of the workload
    counts: Mapping[str, Any] = field(default_factory=dict)  # further values of its row, for known kernels


class PeerGroup:
    """The requested peers. Here none is present; `tools.cuda.peers` has the peers of a checkout."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    @property
    def records(self) -> list[Peer]:
        """Return a record for each peer, with the reason if it is missing."""
        return [Peer(name=name, version=None, obstacle=f"it {TOOLS_MISSING}") for name in self.names]

    def contestants(self, case: Case, comparison: Comparison) -> list[Contestant]:
        """Return the available contestants of a case."""
        return []

    def forget(self) -> None:
        """Release the candidates."""


def find_peers(names: tuple[str, ...], renderer: str) -> PeerGroup:
    """Return the peers of these names, on the GPU that OpenGL renders on."""
    if not names or not has_tools():
        return PeerGroup(names)
    from tools.cuda.peers import Peers

    return Peers(names, renderer)


def reason(error: Exception) -> str:
    """Return an exception as one line."""
    return f"{type(error).__name__}: {error}".splitlines()[0]
