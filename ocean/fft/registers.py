"""Stockham transforms of mixed radix with the data in registers, exchanged through shared memory between stages.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), sections IV.B and
IV.D. This module divides a line into radices and invocations, and chooses the number of lines of a work group.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any, Literal, TypeVar

from ocean.fft.kernels import LineTransform
from ocean.fft.options import RegisterOptions, StockhamOptions
from ocean.fft.stages import PRODUCT, Memory, Stage, butterfly_flops, load, stockham
from ocean.fft.storage import COLUMNS, ROWS, FieldStorage
from ocean.gpu.shaders import Define

ODD_RADICES = (17, 13, 11, 7, 5, 3)
"""Odd prime radices, each with a file in `shaders/fft/butterflies`. No other place lists them."""
PRODUCTS = (15, 9)
"""Odd radices that are products, with files too: fewer stages for more registers and fewer invocations. With 25, most
lines were slower (docs/measurements/trials.md)."""
LEAST_THREADS = 32
"""Minimum number of invocations of a line with radices of PRODUCTS: neighbours then read neighbouring elements."""

R = TypeVar("R", bound=RegisterOptions)
GROUP_THREADS = {ROWS: 128, COLUMNS: 256}
"""Target number of invocations of a work group: enough to hide latency, and to take several columns at a time."""

LEAST_LINES = 2
"""Minimum number of lines of a work group: memory delivers 32 bytes at once, two neighbouring texels of an image."""
MOST_LINES, SHORT_ELEMENTS = 8, 128
"""A work group takes 8 lines at most, or as many short ones as have 128 elements together, to be less idle."""
GROUP_BYTES = 16384
"""Maximum shared memory that a work group should take, so that a processor holds several groups. Elements are exchanged
whole or in halves to stay below it, and as single floats only if a group could not hold the line otherwise."""

SPLIT_RADICES = {2 * radix**3: (radix, 2 * radix, radix) for radix in (2, 4, 8)}
"""Radices of a split transform, by length: an invocation takes R whole elements, then 2 R halves, then R elements."""
SPLIT_GAP = 16
"""Slots between the two halves: neighbours read both at once and so meet different banks of shared memory."""

TEXEL_BYTES = 16  # an element of two complex numbers
LARGEST_RADIX = 8  # default; options and measured plans (stockham_registers.py) may choose another
GUARANTEED_THREADS, GUARANTEED_BYTES = 1024, 32768  # work group of any GPU with OpenGL 4.3
Order = Literal["falling", "rising", "level"]
MOST_ELEMENTS = 64  # maximum number of registers of an invocation in registers.glsl
EXCHANGE_BYTES = {"vec4": 16, "vec2": 8, "float": 4, "arrays": TEXEL_BYTES}


@dataclass(frozen=True)
class Division:
    """The division of transforms of one length among the invocations of a work group."""

    radices: tuple[int, ...]  # in the order of the stages
    threads: int  # invocations of one line
    lines: int  # lines of one work group
    parts: int  # number of parts in which an element is exchanged
    padding: int  # slots before each unused one; 0: none unused
    element_bytes: int
    powers: bool = False  # the roots of a butterfly are powers of its first one
    split: bool = False  # the second stage works on halves of elements
    arrays: bool = False  # each part of an element has an array of its own

    @property
    def size(self) -> int:
        return prod(self.radices)

    @property
    def elements(self) -> int:
        """The registers of an invocation: the most that a stage needs."""
        if self.split:
            return self.radices[0]
        return most_elements(self.radices, self.threads)

    @property
    def line_slots(self) -> int:
        return self.size + (self.size // self.padding if self.padding else 0)

    @property
    def group_threads(self) -> int:
        return self.threads * self.lines

    @property
    def shared_bytes(self) -> int:
        slots = self.line_slots * self.lines + SPLIT_GAP * self.split if len(self.radices) > 1 else 0
        return slots * self.element_bytes // self.parts

    def defines(self) -> dict[str, Define]:
        pairs = zip(strided(self.radices), self.radices[1:], strict=False)
        later = " ".join(f"THEN({radix}, {stride}, {following})" for (radix, stride), following in pairs)
        return {
            "SIZE": self.size,
            "STAGES": len(self.radices),
            "RADIX_0": self.radices[0],
            "LATER_STAGES": later,
            "LAST_RADIX": self.radices[-1],
            **used_radices(*(self.radices[:1] if self.split else self.radices)),
            "THREADS": self.threads,
            "LINES": self.lines,
            "ELEMENTS": self.elements,
            "PARTS": self.parts,
            "ARRAYS": int(self.arrays),
            "PADDING": self.padding,
            "LINE_SLOTS": self.line_slots,
            "POWERS": int(self.powers),
            "SPLIT": int(self.split),
            "SPLIT_GAP": SPLIT_GAP,
        }


def most_elements(radices: tuple[int, ...], threads: int) -> int:
    """Return the most elements that an invocation holds in a stage; butterflies are shared evenly, to within one."""
    size = prod(radices)
    return max(radix * -(-size // (radix * threads)) for radix in radices)


def strided(radices: Sequence[int]) -> list[tuple[int, int]]:
    """Return each radix with the product of the radices before it, the stride of its stage."""
    return list(zip(radices, accumulate(radices, mul, initial=1), strict=False))


def used_radices(*radices: int) -> dict[str, Define]:
    """Return the define with the radices of a kernel for `register_butterflies.glsl`."""
    return {"USED_RADICES": " ".join(f"USE({radix})" for radix in sorted(set(radices)))}


def factors(
    size: int,
    largest: int = LARGEST_RADIX,
    order: Order = "falling",
    element_bytes: int = TEXEL_BYTES,
    products: Sequence[int] = PRODUCTS,
) -> tuple[int, ...] | None:
    """Return the radices of a length whose prime factors are 2 and odd radices, or None for other lengths.

    Even radices are at most `largest`, and as few as possible. Odd radices come first: a first stage writes at the
    stride of its radix, and an odd stride meets every bank of shared memory. `products` are taken up to the registers
    of two butterflies of the largest even radix on texels, and where LEAST_THREADS have a butterfly. The even radices
    follow: falling or rising, with all but the smallest equal to the largest; or level, as equal as possible.
    """
    odd, rest = [], size
    most = min(2 * largest * TEXEL_BYTES // element_bytes, size // LEAST_THREADS)
    joined = [radix for radix in products if radix <= most]
    for radix in sorted((*ODD_RADICES, *joined), reverse=True):
        while rest % radix == 0 and rest > 1:
            odd.append(radix)
            rest //= radix
    if rest < 1 or rest & (rest - 1):
        return None
    twos, most = rest.bit_length() - 1, largest.bit_length() - 1
    stages = -(-twos // most)
    if order == "level":
        logs = [twos // stages + (stage < twos % stages) for stage in range(stages)]
    else:
        logs = [min(most, twos - most * stage) for stage in range(stages)]
    even = [1 << log for log in logs]
    return (*odd, *(reversed(even) if order == "rising" else even))


def smooth_obstacle(size: int) -> str | None:
    """Return why a length is not a product of the radices, or None if it is."""
    primes = ", ".join(map(str, sorted((2, *ODD_RADICES[1:]))))
    return None if factors(size) else f"needs a product of {primes} and {ODD_RADICES[0]}, not {size}"


def divide(size: int, axis: int, options: RegisterOptions, element_bytes: int = TEXEL_BYTES) -> Division:
    """Return the division of lines of length `size`, for which `factors` has radices."""
    is_free = options.order == "auto" and options.butterflies == "auto"
    split = options.radix == "split" and is_free and size in SPLIT_RADICES and element_bytes == TEXEL_BYTES
    order = options.order if options.order != "auto" else "falling"
    largest = options.radix if isinstance(options.radix, int) else LARGEST_RADIX
    products = () if isinstance(options, StockhamOptions) and options.odd == "primes" else PRODUCTS
    radices = SPLIT_RADICES[size] if split else factors(size, largest, order, element_bytes, products)
    if not radices:
        raise ValueError(f"{size} has no radices")
    butterflies = options.butterflies if options.butterflies != "auto" else 1
    least = -(-size // (butterflies * (radices[0] if split else max(radices))))
    threads = next(count for count in range(least, size + 1) if most_elements(radices, count) <= MOST_ELEMENTS)
    stride = radices[0]
    line_bytes = element_bytes * (size + (size // stride if options.padding == "padded" else 0))
    exchanges = EXCHANGE_BYTES.values() if options.exchange == "auto" else [EXCHANGE_BYTES[options.exchange]]
    allowed = sorted({max(1, element_bytes // exchanged) for exchanged in exchanges})
    most_lines = max(MOST_LINES, SHORT_ELEMENTS // size)
    fitting = max(1, min(most_lines, GUARANTEED_THREADS // threads, GROUP_BYTES * min(2, allowed[-1]) // line_bytes))
    chosen = options.lines
    if axis == COLUMNS and isinstance(options, StockhamOptions) and options.columns != "auto":
        chosen = options.columns
    lines = min(fitting, max(LEAST_LINES, GROUP_THREADS[axis] // threads)) if chosen == "auto" else chosen
    group_bytes = line_bytes * lines
    halved = element_bytes == TEXEL_BYTES and stride >= 8  # whole elements at such strides cause bank conflicts
    usual = allowed[1:2] if halved and len(allowed) > 1 else allowed[:2]
    limits = [(parts, most) for most in (GROUP_BYTES, GUARANTEED_BYTES) for parts in usual]
    fits = (parts for parts, most in limits if group_bytes // parts <= most)
    parts = 2 if split else next(fits, allowed[-1])
    has_room = group_bytes // parts * (stride + 1) // stride <= GUARANTEED_BYTES
    needs_room = stride >= 8 and stride % 2 == 0  # odd strides meet every bank
    padded = options.padding == "padded" or (options.padding == "auto" and needs_room and has_room)
    padding = stride if padded else 0
    powers, arrays = options.roots == "powers", options.exchange == "arrays" and not split
    return Division(radices, threads, lines, parts, padding, element_bytes, powers, split, arrays)


def register_stages(division: Division, into: Memory = Memory.FRONT, is_fresh: bool = True) -> Iterator[Stage]:
    """Yield the stages of a transform in registers, each with the load of its registers.

    Each part of an exchange has a barrier before it writes and one before it reads; the first write of a `fresh` group
    needs none. An exchange in parts is one stage, and a butterfly on halves belongs to one invocation.
    """
    size, radices = division.size, division.radices
    for stage, (radix, stride) in enumerate(strided(radices)):
        more = 2 * division.parts - 2 if stage else 0
        owners = load(size, division.threads, size // radix)
        yield Stage(owners, Memory.REGISTERS, dispatches=int(stage == 0), waits=stage > 0, more_barriers=more)
        operation = stockham(size, radix, stride, division.threads, products=radix - 1 if stage else 0)
        if division.split and stage == 1:  # pairs, with roots before and between, and two butterflies of half the radix
            flops = size // radix * (radix // 2 * (4 + 3 * PRODUCT) + 2 * butterfly_flops(radix // 2))
            operation = replace(operation, flops=flops)
        is_last = stage == len(radices) - 1
        yield Stage(operation, into if is_last else Memory.SHARED, waits=not is_last and (stage > 0 or not is_fresh))


class RegisterTransform(LineTransform[R]):
    """A line kernel that uses `registers.glsl`."""

    Options = RegisterOptions
    in_place = True  # a group reads all of its lines before it writes

    def __init__(self, fields: FieldStorage[Any], axis: int, options: R, scale: float) -> None:
        size = self.length(fields.length(axis))
        options = self.resolved(options, size, axis, fields)
        self.division = divide(size, axis, options, fields.element_bytes)
        super().__init__(fields, axis, options, scale)

    @classmethod
    def resolved(cls, options: R, size: int, axis: int, fields: FieldStorage[Any]) -> R:
        """Return options with measured values in place of "auto", for a length and an axis of such fields."""
        return options

    @classmethod
    def length(cls, size: int) -> int:
        """Return the length of the transforms that the kernel does for a line of `size`."""
        return size

    @property
    def root_count(self) -> int:
        return self.length(self.size)

    @classmethod
    def threads(cls, size: int, options: R) -> int:
        return cls.largest(size, options).group_threads

    @classmethod
    def shared_bytes(cls, size: int, options: R) -> int:
        return cls.largest(size, options).shared_bytes

    @classmethod
    def largest(cls, size: int, options: R) -> Division:
        """Return the division with the largest work groups of both axes."""
        divisions = (divide(cls.length(size), axis, options) for axis in (ROWS, COLUMNS))
        return max(divisions, key=lambda division: (division.shared_bytes, division.group_threads))

    def stages(self) -> Iterator[Stage]:
        return register_stages(self.division)

    @property
    def group_lines(self) -> int:
        return self.division.lines

    def extra_defines(self) -> dict[str, Define]:
        ragged = self.fields.lines(self.axis) % self.group_lines != 0
        return {**self.division.defines(), "ABREAST": int(self.is_abreast), "GUARDED": int(ragged)}

    @property
    def is_abreast(self) -> bool:
        """True if neighbouring invocations take neighbouring lines: images deliver two texels of a column at once."""
        return self.axis == COLUMNS or not self.fields.BUFFER
