"""Split radix: radix 2 for even results and radix 4 for odd ones, which takes the fewest operations.

Yavne 1968; Duhamel and Hollmann 1984. Mota, "High Performance Fourier Transforms on GPUs" (Minho 2022), names it in
section 2.3.
"""

from ocean.common.parameters import Parameters
from ocean.fft.kernels import LineTransform


class SplitRadix(LineTransform):
    """A transform whose L-shaped butterflies halve one part of a block and quarter the other."""

    summary = "Split radix, in place in shared memory: fewest operations, but a third of threads idles in each stage."
    shader = "fft/split_radix.comp"
    SHARED_BYTES = 16
    in_place = True

    @classmethod
    def threads(cls, size: int, options: Parameters) -> int:
        return size // 4
