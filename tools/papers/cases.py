"""Transforms in the papers' experiments, which `bench` measures like its own."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isqrt
from typing import Any

import moderngl

from ocean.bench.cases import LINE_ELEMENTS, Case, Cases, batches, powers
from ocean.bench.rows import BenchError
from ocean.fft.bluestein import Rader
from ocean.fft.options import BluesteinOptions
from ocean.gpu.context import is_software, limits

SWEEP_ELEMENTS = 1 << 20
"""Elements of a batch in the sweep over primes: as few as on the CPU, because the sweep has many lengths."""
RECTANGLE_ELEMENTS, RECTANGLE_ELEMENTS_SOFTWARE = 1 << 24, 1 << 16  # elements of a rectangle, on a GPU and on a CPU

GUIDE: tuple[tuple[str, Mapping[str, Any]], ...] = (
    *(
        ("digit-reversal", {"decimation": decimation, "memory": memory, "twiddles": twiddles})
        for decimation in ("time", "frequency")
        for memory in ("shared", "hybrid", "global")
        for twiddles in ("computed", "table")
    ),
    *(("digit-reversal", {"radix": radix, "memory": "global"}) for radix in (2, 8)),
    *(("digit-reversal", {"radix": radix}) for radix in (2, 8)),
    *(("digit-reversal", {"twiddles": "table", "table": table}) for table in ("uniform", "texture")),
    ("digit-reversal", {"twiddles": "native"}),
)
"""All options of Beechwood's guide: both decimations; three kinds of memory; roots by polynomials, by the driver, and
from tables in three kinds of memory."""
EXCHANGES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    *(
        ("stockham-registers", {"radix": radix, "padding": padding})
        for radix in (2, 4, 8)
        for padding in ("none", "padded")
    ),
    *(("stockham-registers", {"exchange": exchange}) for exchange in ("vec2", "float", "arrays")),
    ("stockham-global", {"exchange": "sorted"}),
)
"""Pairs that differ in one thing: padding by radix; elements exchanged whole, by component or in two arrays; results
sorted in shared memory before they are written, or not (Govindaraju et al. 2008, sections IV.A and IV.B)."""
ODD_EXCHANGES: tuple[tuple[str, Mapping[str, Any]], ...] = tuple(
    ("stockham-registers", {"padding": padding}) for padding in ("none", "padded")
)
"""Pairs that differ in padding, for lines of odd radices."""
IN_FLIGHT: tuple[tuple[str, Mapping[str, Any]], ...] = tuple(
    ("stockham-registers", {"radix": radix, "lines": 1}) for radix in (2, 4, 8, 16)
)
FLIGHT_LENGTH = 1024
DAVIS: tuple[str, Mapping[str, Any]] = (
    "digit-reversal",
    {"radix": 2, "memory": "global", "reversal": "table", "twiddles": "table"},
)
"""The variant of Davis and Dharma: a table for the reversal, and one for the roots."""
NAIVE: tuple[str, Mapping[str, Any]] = ("naive", {"invocations": "one-per-butterfly"})
"""Rao's transform with one invocation for each butterfly, not one for each group."""
RADER: tuple[str, Mapping[str, Any]] = ("bluestein", {"convolution": "rader"})
"""Convolutions of p - 1 elements, not padded, for primes p that allow them."""
PRIME_RADICES: tuple[str, Mapping[str, Any]] = ("stockham-registers", {"odd": "primes"})
NAIVE_ANGLES: tuple[str, Mapping[str, Any]] = ("bluestein", {"angles": "naive"})


def refuse_composite(workload: str, sizes: Sequence[int]) -> None:
    """Raise BenchError when one of the sizes is not prime."""
    if found := next((size for size in sizes if any(size % n == 0 for n in range(2, isqrt(size) + 1))), None):
        raise BenchError(f"{workload} takes primes, not {found}")


def mixed(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Return batches of lines, also with prime radices alone (ibid., figures 15 and 18)."""
    return [replace(case, variants=(PRIME_RADICES,)) for case in batches("mixed", ctx, sizes)]


def prime(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Return batches of lines of prime length, also with Bluestein's angles in single precision (ibid., figures 6, 16,
    17)."""
    refuse_composite("prime", sizes)
    made = [batches("prime", ctx, [size], max(size, LINE_ELEMENTS))[0] for size in sizes]
    return [replace(case, variants=(NAIVE_ANGLES, *rader(ctx, case.size))) for case in made]


def prime_sweep(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Return smaller batches of lines of many prime lengths (ibid., figure 16, top)."""
    refuse_composite("prime-sweep", sizes)
    made = batches("prime-sweep", ctx, sizes, SWEEP_ELEMENTS)
    return [replace(case, variants=rader(ctx, case.size)) for case in made]


def rader(ctx: moderngl.Context, size: int) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """Return the variant with Rader's convolution for a prime that allows it."""
    return (RADER,) if Rader.takes(limits(ctx), size, BluesteinOptions()) else ()


def single(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Return single lines, also by the variant of Davis and Dharma."""
    return [Case("single", size, 1, 1, "buffer", inverse=False, variants=(DAVIS, NAIVE)) for size in sizes]


def guide(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Return one complex image by all variants of Beechwood's guide."""
    return [Case("guide", size, 2, 1, "RG32F", False, GUIDE, backends=("digit-reversal",)) for size in sizes]


def exchange(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Return batches of lines by variants that differ in how they exchange or write elements."""

    def variants(case: Case) -> Case:
        found = ODD_EXCHANGES if case.size % 2 else EXCHANGES
        return replace(case, variants=found, backends=tuple(dict.fromkeys(name for name, _ in found)))

    return [variants(case) for case in batches("exchange", ctx, sizes)]


def flight(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Return lines of FLIGHT_LENGTH by radix; `sizes` are numbers of lines. Times grow once the GPU is full."""
    names = ("stockham-registers",)
    return [
        Case("flight", FLIGHT_LENGTH, 1, lines, "buffer", inverse=False, variants=IN_FLIGHT, backends=names)
        for lines in sizes
    ]


def rectangle(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Return complex images with equal numbers of elements and different row lengths (ibid., figure 14)."""
    most = RECTANGLE_ELEMENTS_SOFTWARE if is_software(ctx) else RECTANGLE_ELEMENTS
    elements = min(most, limits(ctx).storage_bytes // 8)
    if too_long := next((size for size in sizes if size > elements // 2), None):
        raise BenchError(f"rectangle has {elements} elements on this GPU, so no rows of {too_long}")
    return [Case("rectangle", size, 2, 1, "buffer", inverse=False, lines=elements // size) for size in sizes]


MIXED = (9, 25, 27, 30, 81, 125, 243, 360, 625, 729, 1500, 2187, 3125, 6750, 21600, 216000, 1080000)
"""Products of 2, 3 and 5, with powers of 3 and of 5 alone (ibid., figures 15 and 18)."""
PRIMES = (
    *(2, 3, 7, 13, 31, 61, 127, 251, 509, 1021, 2039, 4093, 8191, 16381, 32749, 65521, 131071, 262139),
    *(524287, 1048573, 2097143, 4194301, 8388593, 16777213),
)
"""The largest primes up to powers of two, from 2^1 to 2^24."""
PRIME_SWEEP = (
    *(37, 61, 67, 127, 131, 251, 257, 509, 521, 1021, 1031, 2039),
    *(2053, 4093, 4099, 8191, 8209, 16381, 16411, 32749, 32771, 65521),
)
"""The smallest and the largest prime between successive powers of two, from 2^5 to 2^16. Bluestein's transform pads
lines to powers of two, so its cost jumps at these."""
MIXED_SOFTWARE, PRIMES_SOFTWARE = MIXED[:-3], PRIMES[3:14:2]

CASES: dict[str, Cases] = {
    "rectangle": (rectangle, powers(4, 20, 2), powers(4, 12, 2)),
    "mixed": (mixed, MIXED, MIXED_SOFTWARE),
    "prime": (prime, PRIMES, PRIMES_SOFTWARE),
    "prime-sweep": (prime_sweep, PRIME_SWEEP, PRIME_SWEEP[: 2 * 7]),
    "single": (single, powers(1, 24), powers(1, 18)),
    "guide": (guide, powers(9, 11), (512,)),
    "exchange": (exchange, (*powers(6, 11), 243, 625, 2401), (*powers(6, 8), 243)),
    "flight": (flight, powers(1, 13), powers(1, 4)),
}
"""By workload, like `ocean.bench.cases.CASES`."""
