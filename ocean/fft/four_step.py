"""The four-step transform: lines beyond shared memory, in passes of transforms that fit it.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), section IV.C;
Bailey, "FFTs in external or hierarchical memory" (1990).
"""

from math import lcm
from typing import Any, cast

from ocean.common.parameters import Parameters
from ocean.fft.kernels import KernelTransform, group_obstacle
from ocean.fft.options import FourStepOptions
from ocean.fft.registers import divide, factors, smooth_obstacle, strided
from ocean.fft.storage import COLUMNS, ROWS, FieldStorage
from ocean.gpu.context import Limits, is_software

LARGEST_TABLE = 1 << 16
"""Most roots of a table: longer lines compute the twiddle factors between their passes."""

RADIX = 4  # largest radix of a pass on a GPU
SINGLE = 8  # bytes of one complex number in single precision


def split(size: int, longest: int) -> tuple[int, ...]:
    """Return the lengths of the passes of a line: at least two if the line has two factors.

    Each prime factor, the largest first, goes to the shortest pass, so that lengths stay nearly equal.
    """
    primes = sorted(factors(size, largest=2) or (), reverse=True)
    count = 2
    while True:
        lengths = [1] * count
        for prime in primes:
            lengths[lengths.index(min(lengths))] *= prime
        if max(lengths) <= longest:
            return tuple(length for length in lengths if length > 1)
        count += 1


def resolved(options: FourStepOptions, fields: FieldStorage[Any]) -> FourStepOptions:
    """Return the options with the values in place of "auto" that were fastest on an H200.

    Passes are short, and radix 8 keeps too few invocations in flight. In buffers of one complex number per element, one
    float at a time goes through padded shared memory. Neither pays on a software renderer.
    """
    if is_software(fields.ctx):
        return options
    found: dict[str, Any] = {"radix": RADIX} if options.radix == "auto" else {}
    if fields.BUFFER and fields.element_bytes == SINGLE and options.exchange == options.padding == "auto":
        found |= {"exchange": "float", "padding": "padded"}
    return options.model_copy(update=found)


class FourStep(KernelTransform):
    """A transform with one kernel per pass, each from the front half to the back half."""

    summary = "Four-step: lines beyond shared memory, in passes of shorter transforms with twiddles and transposes."
    Options = FourStepOptions

    def __init__(self, fields: FieldStorage[Any], axis: int, options: FourStepOptions, scale: float) -> None:
        self._lengths = split(fields.length(axis), options.longest)
        options = resolved(options, fields)
        super().__init__(fields, axis, options, scale)
        self.divisions = [divide(length, COLUMNS, options, fields.element_bytes) for length in self._lengths]
        for division, (_, stride) in zip(self.divisions, strided(self._lengths), strict=True):
            is_scaled = division.size * stride == self.size and self.scale != 1  # the last pass scales
            sizes = {**division.defines(), "LENGTH": self.size, "STRIDE": stride}
            self.compile("fft/four_step.comp", **sizes, WRITES_FRONT=0, SCALED=int(is_scaled))

    @classmethod
    def size_obstacle(cls, size: int) -> str | None:
        return smooth_obstacle(size)

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        if reason := super().obstacle(limits, size, options):
            return reason
        chosen = cast(FourStepOptions, options)
        for length in split(size, chosen.longest):
            division = divide(length, COLUMNS, chosen)
            if reason := group_obstacle(limits, length, division.group_threads, division.shared_bytes):
                return reason
        return None

    @property
    def root_count(self) -> int:
        return self.size if self.size <= LARGEST_TABLE else lcm(*self._lengths)

    @property
    def dispatches(self) -> int:
        return len(self.divisions)

    @property
    def bytes_moved(self) -> int:
        return 2 * self.fields.bytes * self.dispatches

    def run(self, inverse: bool) -> None:
        lines = self.fields.lines(self.axis)
        for kernel, division in zip(self.kernels, self.divisions, strict=True):
            butterflies = self.size // division.size
            abreast = -(-(butterflies if self.axis == ROWS else lines) // division.lines)
            self.bind()
            self.set(kernel, inverse)
            self.dispatch(kernel, abreast, lines if self.axis == ROWS else butterflies)
            self.fields.swap()
