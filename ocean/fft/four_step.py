"""The four-step transform: lines beyond shared memory, in passes of transforms that fit it.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), section IV.C;
Bailey, "FFTs in external or hierarchical memory" (1990).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import lcm
from typing import Any

from ocean.fft.kernels import KernelTransform, group_obstacle
from ocean.fft.options import FourStepOptions
from ocean.fft.registers import MOST_LINES, divide, register_stages, smooth_obstacle, strided
from ocean.fft.stages import PRODUCT, Node, Operation, Stage, pingpong, stockham
from ocean.fft.storage import COLUMNS, ROWS, FieldStorage
from ocean.gpu.context import Limits, is_software

LARGEST_TABLE = 1 << 16
"""Maximum number of roots of a table: longer lines compute the twiddle factors between their passes."""

RADIX = 4  # largest radix of a pass on a GPU
SHORT_PASS = 64  # longest such pass whose roots are computed or read one by one
SINGLE = 8  # bytes of one complex number in single precision


def split(size: int, longest: int) -> tuple[int, ...]:
    """Return the lengths of the passes of a line: at least two if the line has two factors.

    Each pass takes the smallest divisor of the rest that is no shorter than the geometric mean of the passes to come.
    """
    passes = 2
    while True:
        lengths, rest = [], size
        for left in range(passes, 0, -1):
            least = int(rest ** (1 / left))  # may lie below the root, never above
            lengths.append(next(n for n in range(least, rest + 1) if rest % n == 0 and n**left >= rest))
            rest //= lengths[-1]
        if max(lengths) <= longest:
            return tuple(length for length in lengths if length > 1)
        passes += 1


def resolved(options: FourStepOptions, fields: FieldStorage[Any], lengths: Sequence[int]) -> FourStepOptions:
    """Return the options with each "auto" replaced by the value that was fastest on an H200.

    Passes are short, and radix 8 keeps too few invocations in flight. In buffers of one complex number per element, one
    float at a time goes through padded shared memory, and in more than two passes a group reads eight neighbours of a
    row, which are far from those of the next row. Where the longest pass is not a power of two and exceeds SHORT_PASS,
    roots are products. None of it pays on a software renderer.
    """
    if is_software(fields.ctx):
        return options
    found: dict[str, Any] = {"radix": RADIX} if options.radix == "auto" else {}
    longest, is_single = max(lengths, default=1), fields.BUFFER and fields.element_bytes == SINGLE
    if is_single and options.exchange == options.padding == "auto":
        found |= {"exchange": "float", "padding": "padded"}
    if is_single and options.lines == "auto" and len(lengths) > 2:
        found |= {"lines": MOST_LINES}
    if longest > SHORT_PASS and longest & (longest - 1) and options.roots == "auto":
        found |= {"roots": "powers"}
    return options.model_copy(update=found)


class FourStep(KernelTransform[FourStepOptions]):
    """A transform with one kernel per pass, each from the front half to the back half."""

    summary = "Four-step: lines beyond shared memory, in passes of shorter transforms with twiddles and transposes."
    Options = FourStepOptions
    size_obstacle = staticmethod(smooth_obstacle)

    def __init__(self, fields: FieldStorage[Any], axis: int, options: FourStepOptions, scale: float) -> None:
        self._lengths = split(fields.length(axis), options.longest)
        options = resolved(options, fields, self._lengths)
        super().__init__(fields, axis, options, scale)
        self.divisions = [divide(length, COLUMNS, options, fields.element_bytes) for length in self._lengths]
        for division, (_, stride) in zip(self.divisions, strided(self._lengths), strict=True):
            is_scaled = division.size * stride == self.size and self.scale != 1  # the last pass scales
            sizes = {**division.defines(), "LENGTH": self.size, "STRIDE": stride}
            self.compile("fft/four_step.comp", **sizes, WRITES_FRONT=0, SCALED=int(is_scaled))

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: FourStepOptions) -> str | None:
        if reason := super().obstacle(limits, size, options):
            return reason
        for length in split(size, options.longest):
            division = divide(length, COLUMNS, options)
            if reason := group_obstacle(limits, length, division.group_threads, division.shared_bytes):
                return reason
        return None

    @property
    def root_count(self) -> int:
        return self.size if self.size <= LARGEST_TABLE else lcm(*self._lengths)

    def stages(self) -> Iterator[Stage]:
        """Yield the stages of each pass. A pass is a Stockham stage whose butterflies are transforms in registers."""
        for number, (division, (length, stride)) in enumerate(zip(self.divisions, strided(self._lengths), strict=True)):
            groups = self.size // length
            outer = stockham(self.size, length, stride, groups)
            stages = list(register_stages(division, pingpong(number)))
            for inner in stages:
                place = "first" if inner is stages[0] else "last" if inner is stages[-1] else ""
                nodes = partial(_nodes, outer, inner, division.threads, place)
                twiddles = PRODUCT * self.size if place == "first" and stride > 1 else 0
                operation = Operation(inner.name, nodes, groups * (inner.operation.flops or 0) + twiddles)
                yield replace(inner, operation=operation)

    def run(self, inverse: bool) -> None:
        lines = self.fields.lines(self.axis)
        for kernel, division in zip(self.kernels, self.divisions, strict=True):
            butterflies = self.size // division.size
            abreast = -(-(butterflies if self.axis == ROWS else lines) // division.lines)
            self.bind()
            self.set(kernel, inverse)
            self.dispatch(kernel, abreast, lines if self.axis == ROWS else butterflies)
            self.fields.swap()


def _nodes(outer: Operation, inner: Stage, threads: int, place: str) -> Iterator[Node]:
    """Yield the nodes of a stage in all butterflies of a pass. The first stage multiplies by the roots between passes
    as it loads; the last one writes to the positions of the next pass."""
    for number, butterfly in enumerate(outer.make_nodes()):
        for node in inner.nodes:
            reads = tuple(butterfly.reads[q] for q in node.reads)
            writes = tuple((butterfly.writes if place == "last" else butterfly.reads)[r] for r in node.writes)
            after = tuple(butterfly.before[q] for q in node.reads) if place == "first" else ()
            yield replace(node, reads=reads, writes=writes, after=after, thread=number * threads + (node.thread or 0))
