"""The direct sum: the definition of the discrete Fourier transform.

Mota, "High Performance Fourier Transforms on GPUs" (Minho 2022), chapter 2.
"""

from ocean.common.parameters import Parameters
from ocean.fft.kernels import LineTransform
from ocean.gpu.context import Limits

LONGEST = 512  # N² terms per line: fifty times the work of a fast transform at 512


class DirectSum(LineTransform):
    """A transform in which one invocation sums one element of the result, from the line and the roots in shared
    memory."""

    summary = "Direct sum of N terms for each of N results: any size from 2 to 512."
    shader = "fft/dft.comp"
    SHARED_BYTES = 24  # one element and one root
    in_place = True

    @classmethod
    def threads(cls, size: int, options: Parameters) -> int:
        return size

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        if not 2 <= size <= LONGEST:
            return f"needs a size from 2 to {LONGEST}, not {size}: it sums N² terms per line"
        return cls.group_obstacle(limits, size, options)
