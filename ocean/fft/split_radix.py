"""Split radix: radix 2 for even results and radix 4 for odd ones, which takes the fewest operations.

Yavne 1968; Duhamel and Hollmann 1984. Mota, "High Performance Fourier Transforms on GPUs" (Minho 2022), names it in
section 2.3.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from ocean.fft.kernels import LineTransform
from ocean.fft.options import KernelOptions
from ocean.fft.stages import PRODUCT, Memory, Node, Operation, Stage, bit_reversed, load, moves, root, stage_flops


class SplitRadix(LineTransform[KernelOptions]):
    """A transform whose L-shaped butterflies halve one part of a block and quarter the other."""

    summary = "Split radix, in place in shared memory: fewest operations, but a third of threads idles in each stage."
    shader = "fft/split_radix.comp"
    SHARED_BYTES = 16
    in_place = True

    @classmethod
    def threads(cls, size: int, options: KernelOptions) -> int:
        return size // 4

    def stages(self) -> Iterator[Stage]:
        size, threads = self.size, self.size // 4
        yield Stage(load(size, threads), Memory.SHARED, dispatches=1)
        for stage in range(self.log2_size - 1):
            n, count = size >> stage, sum(map(_is_transform, range(1 << stage)))
            pairs = Operation("pairs", partial(_pairs, size, n), count * stage_flops(n, 2, 0))
            quarters = Operation("quarters", partial(_quarters, size, n), count * n // 4 * (4 + 2 * PRODUCT))
            yield Stage(pairs, Memory.REGISTERS, waits=stage > 0)
            yield Stage(quarters, Memory.SHARED)
        last = 4 * sum(map(_is_transform, range(size // 2)))
        yield Stage(Operation("radix 2", partial(_last_pairs, size), last), Memory.SHARED, waits=True)
        source = partial(bit_reversed, self.log2_size)
        yield Stage(moves("reverse", size, lambda place: place % threads, source), Memory.FRONT, waits=True)


def _is_transform(block: int) -> bool:
    """Return whether a block is a transform at its stage: its number ends in an even number of ones."""
    return (block ^ (block + 1)).bit_length() % 2 == 1


def _idle(places: Iterable[int]) -> Iterator[Node]:
    for place in places:
        yield Node((place,), (place,), None)


def _pairs(size: int, n: int) -> Iterator[Node]:
    """Yield the sums and differences of elements half a block apart."""
    for block in range(size // n):
        first = block * n
        if not _is_transform(block):
            yield from _idle(range(first, first + n))
            continue
        for p in range(n // 4):
            for upper in (first + p, first + p + n // 4):
                yield Node((upper, upper + n // 2), (upper, upper + n // 2), first // 4 + p)


def _quarters(size: int, n: int) -> Iterator[Node]:
    """Yield the turned butterflies of the upper half of each block; the lower half is the next stage's."""
    for block in range(size // n):
        first, quarter = block * n, n // 4
        if not _is_transform(block):
            yield from _idle(range(first, first + n))
            continue
        for p in range(quarter):
            a, b, c, d = range(first + p, first + n, quarter)
            thread = first // 4 + p
            yield Node((a,), (a,), thread)
            yield Node((b,), (b,), thread)
            yield Node((c, d), (c, d), thread, (None, root(1, 4)), (root(p, n), root(3 * p, n)))


def _last_pairs(size: int) -> Iterator[Node]:
    for block in range(size // 2):
        line = 2 * block, 2 * block + 1
        if _is_transform(block):
            yield Node(line, line, block // 2)
        else:
            yield from _idle(line)
