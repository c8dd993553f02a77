"""The direct sum: what every fast transform computes faster.

Mota, "High Performance Fourier Transforms on GPUs" (Minho 2022), chapter 2.
"""

from ocean.common.parameters import Parameters
from ocean.fft.kernels import LineTransform
from ocean.gpu.context import Limits

LONGEST = 512  # N² terms a line: at 512 already fifty times the work of a fast transform


class DirectSum(LineTransform):
    """One invocation adds up one element of the result, from the line and the roots in shared memory."""

    summary = "The direct sum, N terms for each of N results: any size to 512, and what the fast transforms save."
    shader = "fft/dft.comp"
    SHARED_BYTES = 24  # an element and a root
    in_place = True

    @classmethod
    def threads(cls, size: int, options: Parameters) -> int:
        return size

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        if not 2 <= size <= LONGEST:
            return f"sums N² terms a line and takes sizes from 2 to {LONGEST}, not {size}"
        return cls.group_obstacle(limits, size, options)

    @property
    def swaps(self) -> bool:
        return False  # a group has read all of its line before it writes
