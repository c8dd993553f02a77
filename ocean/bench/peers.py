"""The seam to peers: libraries that `tools.cuda` measures on the same cases where there is a checkout."""

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
    """A peer's candidate, with the values of its row beside the times."""

    result: Measurement
    candidate: Candidate | None  # None where there is an obstacle
    options: str
    storage: str
    plan: str = ""  # as the peer describes it
    counts: Mapping[str, Any] = field(default_factory=dict)  # further values of its row, where its kernels are known


class PeerGroup:
    """The peers that were asked for. Here none is present; `tools.cuda.peers` has those of a checkout."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    @property
    def records(self) -> list[Peer]:
        """Return a record for each peer, with the reason where it is missing."""
        return [Peer(name=name, version=None, obstacle=f"it {TOOLS_MISSING}") for name in self.names]

    def contestants(self, case: Case, comparison: Comparison) -> list[Contestant]:
        """Return the contestants of a case that are present."""
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
