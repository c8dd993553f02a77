"""The transforms that a bench measures: of which sizes, how many, in what storage, and which papers they are from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isqrt
from typing import Any, Literal

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.bench.rows import BenchError
from ocean.fft.storage import COLUMNS, ROWS, FieldBuffers, FieldLayers, FieldStorage
from ocean.gpu.context import is_software, limits

Format = Literal["RGBA32F", "RG32F", "buffer"]
LINE_ELEMENTS, LINE_ELEMENTS_SOFTWARE = 1 << 23, 1 << 17
"""Of a batch of lines: as Govindaraju et al. have it, and what a CPU does in reasonable time."""
SWEEP_ELEMENTS = 1 << 20
"""Of a batch in the sweep over primes, as many as on the CPU: it has many lengths."""
RECTANGLE_ELEMENTS, RECTANGLE_ELEMENTS_SOFTWARE = 1 << 24, 1 << 16
"""Of a rectangle, likewise."""

VARIANTS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    *(("stockham-radix2", {"butterflies": butterflies}) for butterflies in (2, 4, 8)),
    *(("digit-reversal", {"radix": radix}) for radix in (2, 8)),
    ("digit-reversal", {"reversal": "loop"}),
)
"""Of one image: what Mota (figure 16, section 5.3.1) and Beechwood vary."""
NAIVE_ANGLES: tuple[str, Mapping[str, Any]] = ("bluestein", {"angles": "naive"})


@dataclass(frozen=True)
class Case:
    """Transforms of one kind and size, in which candidates compete."""

    workload: str
    size: int  # elements of a line
    dimensions: Literal[1, 2]
    batch: int  # complex transforms
    format: Format
    inverse: bool
    variants: tuple[tuple[str, Mapping[str, Any]], ...] = ()  # backends with other options than their defaults
    lines: int | None = None  # in two dimensions, where not as many as a line has elements
    seed: int = 0  # of its random numbers

    @property
    def axes(self) -> tuple[int, ...]:
        return (ROWS, COLUMNS) if self.dimensions == 2 else (ROWS,)

    @property
    def direction(self) -> Literal["forward", "inverse"]:
        return "inverse" if self.inverse else "forward"

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of the input: fields, height, width."""
        return (self.batch, self.lines or self.size, self.size) if self.dimensions == 2 else (1, self.batch, self.size)

    @property
    def lengths(self) -> tuple[int, ...]:
        """Of the axes that are transformed."""
        return self.shape[-self.dimensions :]

    def input(self) -> NDArray[np.complex64]:
        """Random numbers."""
        values = np.random.default_rng(self.seed).standard_normal((*self.shape, 2), np.float32)
        return values.view(np.complex64)[..., 0]

    def storage(self, ctx: moderngl.Context) -> FieldStorage[Any]:
        """Where they lie on the GPU."""
        count, height, width = self.shape
        if self.format == "buffer":
            return FieldBuffers(ctx, (height, width), count, packed=1)
        packed: Literal[1, 2] = 2 if self.format == "RGBA32F" else 1
        return FieldLayers(ctx, (height, width), count // packed, packed)

    def refuse(self, ctx: moderngl.Context) -> None:
        """Raise BenchError where no storage here can hold the case."""
        there = limits(ctx)
        wanted = 8 * int(np.prod(self.shape))
        if self.format == "buffer" and wanted > there.storage_bytes:
            raise BenchError(
                f"{self.workload} at {self.size} needs a buffer of {wanted} bytes, not {there.storage_bytes}"
            )
        if self.format != "buffer" and self.size > there.texture_size:
            raise BenchError(f"{self.workload} takes sizes up to {there.texture_size} on this GPU, not {self.size}")


def ocean(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """The four complex inverse transforms of a frame of one cascade, two in a texel."""
    return [Case("ocean", size, 2, 4, "RGBA32F", inverse=True) for size in sizes]


def image(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """A complex image, there and back (Mota 2022, chapter 6); or two, which is what a texel RGBA32F holds."""
    formats: tuple[tuple[Format, int], ...] = (("RG32F", 1), ("RGBA32F", 2))
    return [
        Case("image", size, 2, batch, format_, inverse, () if inverse or batch > 1 else VARIANTS)
        for format_, batch in formats
        for inverse in (False, True)
        for size in sizes
    ]


def line(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Batches of lines, the same number of elements whatever their length (Govindaraju et al. 2008, figure 12)."""
    return batches("line", ctx, sizes)


def batches(workload: str, ctx: moderngl.Context, sizes: Sequence[int], most: int = LINE_ELEMENTS) -> list[Case]:
    """Lines of so many elements in all, or of fewer where there is no room or no GPU."""
    elements = LINE_ELEMENTS_SOFTWARE if is_software(ctx) else min(most, limits(ctx).storage_bytes // 8)
    if too_long := next((size for size in sizes if size > elements), None):
        raise BenchError(f"{workload} has {elements} elements on this GPU, so no lines of {too_long}")
    return [Case(workload, size, 1, elements // size, "buffer", inverse=False) for size in sizes]


def refuse_composite(workload: str, sizes: Sequence[int]) -> None:
    """Raise BenchError where one of the sizes is no prime."""
    if found := next((size for size in sizes if any(size % n == 0 for n in range(2, isqrt(size) + 1))), None):
        raise BenchError(f"{workload} takes primes, not {found}")


def mixed(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Batches of lines whose lengths have several small prime factors, or are powers of 3 or 5 (ibid., figures 15 and
    18)."""
    return batches("mixed", ctx, sizes)


def prime(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Batches of lines of prime length, Bluestein's angles in single precision too (ibid., figures 6, 16, 17)."""
    refuse_composite("prime", sizes)
    return [replace(case, variants=(NAIVE_ANGLES,)) for case in batches("prime", ctx, sizes)]


def prime_sweep(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Smaller batches of lines of many prime lengths (ibid., figure 16, top)."""
    refuse_composite("prime-sweep", sizes)
    return batches("prime-sweep", ctx, sizes, SWEEP_ELEMENTS)


def single(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """One line, as long as it may be."""
    return [Case("single", size, 1, 1, "buffer", inverse=False) for size in sizes]


def rectangle(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """A complex image of the same number of elements whatever the length of its rows (ibid., figure 14)."""
    most = RECTANGLE_ELEMENTS_SOFTWARE if is_software(ctx) else RECTANGLE_ELEMENTS
    elements = min(most, limits(ctx).storage_bytes // 8)
    if too_long := next((size for size in sizes if size > elements // 2), None):
        raise BenchError(f"rectangle has {elements} elements on this GPU, so no rows of {too_long}")
    return [Case("rectangle", size, 2, 1, "buffer", inverse=False, lines=elements // size) for size in sizes]


def powers(first: int, last: int, step: int = 1) -> tuple[int, ...]:
    """2^first to 2^last."""
    return tuple(1 << n for n in range(first, last + 1, step))


MIXED = (9, 25, 27, 30, 81, 125, 243, 360, 625, 729, 1500, 2187, 3125, 6750, 21600, 216000, 1080000)
"""Products of 2, 3 and 5, with powers of 3 and of 5 alone."""
PRIMES = (7, 13, 31, 61, 127, 251, 509, 1021, 2039, 4093, 8191, 16381, 65521, 262139)
"""The largest below powers of two."""
PRIME_SWEEP = (
    *(37, 61, 67, 127, 131, 251, 257, 509, 521, 1021, 1031, 2039),
    *(2053, 4093, 4099, 8191, 8209, 16381, 16411, 32749, 32771, 65521),
)
"""The least and the greatest between powers of two, from 2^5 to 2^16: where a tooth of Bluestein's transform begins and
ends, as what it pads lines to doubles."""
MIXED_SOFTWARE, PRIMES_SOFTWARE = MIXED[:-3], PRIMES[1:-3:2]

CASES: dict[str, tuple[Callable[[moderngl.Context, Sequence[int]], list[Case]], tuple[int, ...], tuple[int, ...]]] = {
    "ocean": (ocean, powers(7, 11), powers(6, 8)),
    "image": (image, powers(7, 11), powers(6, 7)),
    "rectangle": (rectangle, powers(4, 20, 2), powers(4, 12, 2)),
    "line": (line, powers(1, 23), powers(1, 16, 3)),
    "mixed": (mixed, MIXED, MIXED_SOFTWARE),
    "prime": (prime, PRIMES, PRIMES_SOFTWARE),
    "prime-sweep": (prime_sweep, PRIME_SWEEP, PRIME_SWEEP[: 2 * 7]),
    "single": (single, powers(1, 24), powers(1, 18)),
}
"""By workload: its cases, the sizes that it has by itself, and those on a software renderer."""


def cases_of(workload: str, ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """The cases of a workload at these sizes, or at its own.

    Raises:
        BenchError: when there is no room for one.
    """
    make, usual, small = CASES[workload]
    made = make(ctx, sizes or (small if is_software(ctx) else usual))
    for case in made:
        case.refuse(ctx)
    return made
