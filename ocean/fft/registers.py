"""Stockham transforms of mixed radix with the data in registers, exchanged through shared memory between stages.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), sections IV.B and
IV.D. `divide` divides a line into radices and invocations, and chooses the number of lines of a work group. The tuned
`StockhamRegisters` is the fastest GLSL backend for lines that a work group can hold.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any, Literal, TypeVar

import moderngl

from ocean.fft.contract import Fusion, Sharing
from ocean.fft.kernels import LineTransform, group_obstacle
from ocean.fft.options import RegisterOptions, StockhamOptions
from ocean.fft.stages import PRODUCT, Memory, Stage, butterfly_flops, load, stockham
from ocean.fft.storage import COLUMNS, ROWS, FieldStorage
from ocean.gpu.context import Limits, is_software, limits
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
LARGEST_RADIX = 8  # default; options and measured plans (FASTEST) may choose another
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
    stride of its radix, and an odd stride meets every bank of shared memory. `products` are taken if they need no more
    registers than two butterflies of the largest even radix on texels, and leave at least LEAST_THREADS butterflies.
    The even radices follow: falling or rising, with all but the smallest equal to the largest; or level, as equal as
    possible.
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
    bounds = [(parts, most) for most in (GROUP_BYTES, GUARANTEED_BYTES) for parts in usual]
    fits = (parts for parts, most in bounds if group_bytes // parts <= most)
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
        return self.division.size

    @classmethod
    def group_obstacle(cls, limits: Limits, size: int, options: R) -> str | None:
        divisions = (divide(cls.length(size), axis, options) for axis in (ROWS, COLUMNS))
        largest = max(divisions, key=lambda division: (division.shared_bytes, division.group_threads))
        return group_obstacle(limits, size, largest.group_threads, largest.shared_bytes)

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


def kernel(radix: int | str, exchange: str, padding: str, roots: str, twiddles: str, **others: Any) -> dict[str, Any]:
    chosen = {"radix": radix, "exchange": exchange, "padding": padding, "roots": roots, "twiddles": twiddles}
    return chosen | {"rows": "abreast"} | others


FASTEST: dict[int, tuple[dict[str, Any], ...]] = {
    256: 2 * (kernel(4, "vec4", "padded", "powers", "table", lines=2, columns=2),),
    512: 2 * (kernel(8, "vec2", "padded", "powers", "table", lines=4, columns=4),),
    1024: 2 * (kernel("split", "auto", "padded", "powers", "table", lines=2, columns=1),),
    2048: (
        kernel(16, "float", "padded", "powers", "table", lines=2),
        kernel(16, "float", "padded", "powers", "computed", columns=2),
    ),
}
"""Fastest options by size, for rows and for columns of RGBA32F images on an NVIDIA H200 (docs/measurements/speed.md).
All fit the 32 KiB of shared memory that OpenGL guarantees."""
MANY_LAYERS = 6
FASTEST_OF_MANY: dict[int, tuple[dict[str, Any], ...]] = {
    512: 2 * (kernel(8, "float", "padded", "powers", "table", lines=2, columns=4),)
}
"""Fastest options for MANY_LAYERS and more: a processor then holds more groups if they are small."""
FASTEST_LINES: dict[int, dict[str, Any]] = {
    **{size: {"exchange": "float"} for size in (128, 256, 512)},
    1024: {"radix": 4, "padding": "none"},
    2048: {"radix": 8, "padding": "padded"},
}
"""Fastest options for rows of complex numbers in a buffer on an NVIDIA H200 (docs/measurements/h200/exchange)."""
FASTEST_FUSED: dict[int, tuple[dict[str, Any], ...]] = {
    256: (kernel(4, "vec4", "padded", "powers", "table", lines=2, sharing="apart"),),
    512: (kernel(4, "vec4", "padded", "powers", "table", lines=2, sharing="packed"),),
    1024: (kernel(4, "vec2", "none", "powers", "table", lines=2, sharing="held"),),
    2048: (
        kernel(8, "vec2", "padded", "powers", "computed", lines=2, sharing="packed"),  # 36 KiB
        kernel(8, "float", "padded", "powers", "table", lines=2, sharing="packed"),
    ),
}
"""Fastest options of the first axis of a fused transform, the best one first."""
ODD_LINES: dict[str, Any] = {"exchange": "float", "roots": "powers", "twiddles": "table"}
"""Fastest options for rows of one number in a buffer whose length is not a power of two, from LEAST_ODD_LINE on. With
FULL_THREADS or more a line has a group of its own."""
LEAST_ODD_LINE, FULL_THREADS = 243, 64
LIGHT = tuple(
    kernel(radix, "vec2", "padded", "powers", "table", lines=lines, columns=lines, sharing="apart")
    for lines in (2, 1)
    for radix in (8, 4)
)
"""Options that hold fewer values, for GPUs with fewer registers than the H200 (`fits_registers`)."""
SOFTWARE: dict[str, Any] = {"exchange": "vec4", "roots": "powers", "sharing": "apart"}
"""Best options on llvmpipe at every length and along both axes: it has no banks of shared memory, and spills registers
at each barrier. Holding the input of two layers saves little and takes twice as long to compile."""
SOFTWARE_SHORT = 256
"""Up to this length, a work group of llvmpipe takes eight lines."""
SOFTWARE_RADICES = {128: 16, 256: 8}
"""Best radices on llvmpipe up to each length. For three cascades of 128, stages of 16 and 8 take 4.3 ms, and radix 4
takes 6.2 ms. Other lengths take radix 4, whose code is half as long as for radix 8 and compiles 0.17 s faster."""


def known_options(size: int, axis: int, fields: FieldStorage[Any]) -> tuple[dict[str, Any], ...]:
    """Return options for a length and an axis in such fields, the fastest first; empty if not measured."""
    is_slow = is_software(fields.ctx)
    if fields.BUFFER:
        return lines_of_one_number(size) if fields.packed == 1 and axis == ROWS and not is_slow else ()
    if fields.packed == 1:
        return ()
    return (software(size),) if is_slow else (fastest(size, fields.layers)[axis], *LIGHT)


def lines_of_one_number(size: int) -> tuple[dict[str, Any], ...]:
    """Return options for rows of one number in a buffer, the fastest first."""
    if size in FASTEST_LINES or size < LEAST_ODD_LINE or size & (size - 1) == 0:
        return (FASTEST_LINES.get(size, {}),)
    threads = size // max(factors(size, element_bytes=8) or (size,))
    chosen = ODD_LINES | ({"lines": 1} if threads >= FULL_THREADS else {})
    return chosen, chosen | {"radix": 4}


def fits_registers(ctx: moderngl.Context, division: Division, sharing: str = "apart") -> bool:
    """Return whether registers can hold an invocation's elements, with what a fused one keeps for a second layer.

    In a group of more than 256 it has fewer registers: Intel's compiler then runs 16 or 32 invocations at once. This
    agrees with the spills that `tools.registers` counts. llvmpipe spills at each barrier anyway.
    """
    held = division.elements * (division.element_bytes // 4 + {"held": 2, "packed": 4}.get(sharing, 0))
    return is_software(ctx) or held * max(division.group_threads, 256) <= limits(ctx).registers * 256


def software(size: int) -> dict[str, Any]:
    """Return the best options on llvmpipe for a length."""
    return SOFTWARE | ({"radix": SOFTWARE_RADICES.get(size, 4), "lines": 8} if size <= SOFTWARE_SHORT else {})


def fastest(size: int, layers: int) -> tuple[dict[str, Any], ...]:
    """Return the fastest measured options for a size and number of layers, for rows and columns; empty if unknown."""
    measured = FASTEST.get(size, ({}, {}))
    return FASTEST_OF_MANY.get(size, measured) if layers >= MANY_LAYERS else measured


class StockhamRegisters(RegisterTransform[StockhamOptions]):
    summary = (
        f"Mixed-radix Stockham (2 to 16, 3 to {max(ODD_RADICES)}) in registers: "
        "each axis reads and writes the images once."
    )
    shader = "fft/stockham_registers.comp"
    Options = StockhamOptions
    LAYERED = True
    size_obstacle = staticmethod(smooth_obstacle)

    @property
    def group_lines(self) -> int:
        return super().group_lines * self.options.turns

    @classmethod
    def resolved(cls, options: StockhamOptions, size: int, axis: int, fields: FieldStorage[Any]) -> StockhamOptions:
        able = {
            one: division
            for one in map(options.with_auto, known_options(size, axis, fields))
            if (division := divide(size, axis, one, fields.element_bytes)).group_threads <= GUARANTEED_THREADS
            and division.shared_bytes <= GUARANTEED_BYTES
        }
        light = [one for one, division in able.items() if fits_registers(fields.ctx, division)]
        return next(iter(light or able), options)  # options of the user may need smaller groups

    @property
    def is_abreast(self) -> bool:
        rows = self.options.rows
        return super().is_abreast if self.axis == COLUMNS or rows == "auto" else rows == "abreast"

    def extra_defines(self) -> dict[str, Define]:
        return {**super().extra_defines(), "TURNS": self.options.turns}

    @classmethod
    def fusion(cls, fields: FieldStorage[Any], options: StockhamOptions) -> Fusion:
        size = fields.width
        there, is_slow = limits(fields.ctx), is_software(fields.ctx)
        known = (software(size),) if is_slow else (*FASTEST_FUSED.get(size, ({},)), *LIGHT)
        able = [one for one in map(options.with_auto, known) if not cls.obstacle(there, size, one)]
        light = [one for one in able if fits_registers(fields.ctx, divide(size, ROWS, one), one.sharing)]
        first = next(iter(light or able), options)
        sharing: Sharing = first.sharing if first.sharing != "auto" else "apart"
        block = 0 if options.middle == "image" and not options.halves else size
        if options.middle == "blocks":
            block = divide(size, COLUMNS, cls.resolved(options, size, COLUMNS, fields)).lines
        return Fusion(cls, options, first, sharing, block, options.halves)
