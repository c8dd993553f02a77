"""Stockham transforms of mixed radix with the data in registers, exchanged through shared memory between stages.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), sections IV.B and
IV.D. This module decides how a line is divided: into which radices, among how many invocations, how many lines a group.
"""

from dataclasses import dataclass
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any, Literal, Self, cast

from ocean.common.parameters import Parameters, parameter
from ocean.fft.kernels import KernelOptions, LineTransform
from ocean.fft.storage import COLUMNS, ROWS, FieldStorage
from ocean.gpu.shaders import Define

ODD_RADICES = (13, 11, 7, 5, 3)
"""Each has its file in `shaders/fft/butterflies`, and nothing else knows which there are."""

GROUP_THREADS = {ROWS: 128, COLUMNS: 256}
"""Invocations that a work group should have. Enough of them hide latency, and columns come several at a time."""

LEAST_LINES = 2
"""Memory delivers 32 bytes at once: of an image, two texels that lie abreast or one below the other."""
GROUP_BYTES = 16384
"""Shared memory that a work group should take at most, so that a processor holds several groups at a time. Elements are
exchanged whole or in halves for it; only what no group could hold otherwise goes as single floats."""

SPLIT_RADICES = {2 * radix**3: (radix, 2 * radix, radix) for radix in (2, 4, 8)}
"""By length: an invocation takes R elements whole in the first stage and the last, 2 R halves in the second."""
SPLIT_GAP = 16
"""Slots between the halves, which neighbours read at once: so they lie in different banks of shared memory."""

LARGEST_RADIX = 8  # unless options or what was measured (stockham_registers.py) say otherwise
GUARANTEED_THREADS, GUARANTEED_BYTES = 1024, 32768  # of a work group, by OpenGL 4.3
Order = Literal["falling", "rising", "level"]
MOST_ELEMENTS = 64  # of an invocation, for which registers.glsl spells out what it does
EXCHANGE_BYTES = {"vec4": 16, "vec2": 8, "float": 4}
TEXEL_BYTES = 16  # of an element with two complex numbers


class RegisterOptions(KernelOptions):
    """Options of the kernels that keep their data in registers."""

    radix: Literal["auto", 2, 4, 8, 16, "split"] = parameter(
        "auto",
        "Largest radix: a larger one needs fewer stages and more registers. Split: 8, 16 on halves of elements, and 8 "
        "again, for lines of 1024 (4, 8, 4 for 128; 2, 4, 2 for 16), exchanged in halves, which saves a stage; other "
        "lines, and where order or butterflies are chosen, as with 8.",
    )
    order: Literal["auto", "falling", "rising", "level"] = parameter(
        "auto",
        "Order of the even radices: the largest first, or last, or as many stages of radices as like as can be.",
    )
    butterflies: Literal["auto", 1, 2, 4] = parameter(
        "auto",
        "Butterflies of the largest radix that an invocation makes, so that it holds as many times the elements.",
    )
    lines: Literal["auto", 1, 2, 4, 8] = parameter("auto", "Lines of one work group.")
    exchange: Literal["auto", "vec4", "vec2", "float"] = parameter(
        "auto", "What goes through shared memory at once: elements of at most four floats, two, or one."
    )
    padding: Literal["auto", "none", "padded"] = parameter(
        "auto", "Slots of shared memory left out, so that strided writes spread over its banks."
    )

    roots: Literal["auto", "each", "powers"] = parameter(
        "auto", "Roots of a butterfly: each for itself, or the first and every fourth, and products of these."
    )

    @property
    def largest_radix(self) -> int:
        return self.radix if isinstance(self.radix, int) else LARGEST_RADIX

    def resolved(self, size: int, axis: int, fields: FieldStorage[Any]) -> Self:
        """The same, and what was left at "auto" as it is known to be best for a length and an axis in such fields."""
        return self

    def lines_along(self, axis: int) -> Literal["auto", 1, 2, 4, 8]:
        """Lines of a work group that transforms along this axis."""
        return self.lines

    def go_down_rows(self, of_image: bool) -> bool:
        """Whether neighbouring invocations go down a group's rows, as they do for columns, or follow a row. In an image
        two texels one below the other are what memory delivers at once."""
        return of_image


@dataclass(frozen=True)
class Division:
    """How transforms of one length are divided among the invocations of a work group."""

    radices: tuple[int, ...]  # in the order of the stages
    threads: int  # of one line
    lines: int  # of one work group
    parts: int  # in which an element is exchanged
    padding: int  # one slot left out after so many; 0 for none
    element_bytes: int
    powers: bool = False  # of a butterfly's first root are the others
    split: bool = False  # the second stage works on halves of elements

    @property
    def size(self) -> int:
        return prod(self.radices)

    @property
    def elements(self) -> int:
        """Registers of an invocation: the most that a stage needs."""
        if self.split:
            return self.radices[0]
        return most_elements(self.radices, self.threads)

    @property
    def line_slots(self) -> int:
        """Slots of shared memory for one line."""
        return self.size + (self.size // self.padding if self.padding else 0)

    @property
    def group_threads(self) -> int:
        """Invocations of the work group."""
        return self.threads * self.lines

    @property
    def shared_bytes(self) -> int:
        """Shared memory of the work group."""
        slots = self.line_slots * self.lines + SPLIT_GAP * self.split if len(self.radices) > 1 else 0
        return slots * self.element_bytes // self.parts

    @property
    def is_guaranteed(self) -> bool:
        """Whether any GPU of OpenGL 4.3 has such work groups."""
        return self.group_threads <= GUARANTEED_THREADS and self.shared_bytes <= GUARANTEED_BYTES

    @property
    def later_stages(self) -> str:
        """The stages after the first, as `registers.glsl` asks for them."""
        strides = accumulate(self.radices, mul, initial=1)
        pairs = zip(self.radices, strides, self.radices[1:], strict=False)
        return " ".join(f"THEN({radix}, {stride}, {following})" for radix, stride, following in pairs)

    def defines(self) -> dict[str, Define]:
        """What `group.glsl` and `registers.glsl` ask for."""
        return {
            "SIZE": self.size,
            "STAGES": len(self.radices),
            "RADIX_0": self.radices[0],
            "LATER_STAGES": self.later_stages,
            "LAST_RADIX": self.radices[-1],
            **used_radices(*(self.radices[:1] if self.split else self.radices)),
            "THREADS": self.threads,
            "LINES": self.lines,
            "ELEMENTS": self.elements,
            "PARTS": self.parts,
            "PADDING": self.padding,
            "LINE_SLOTS": self.line_slots,
            "POWERS": int(self.powers),
            "SPLIT": int(self.split),
            "SPLIT_GAP": SPLIT_GAP,
        }


def most_elements(radices: tuple[int, ...], threads: int) -> int:
    """The most that an invocation of so many holds in any stage: of a line's butterflies each takes the same number, or
    one more."""
    size = prod(radices)
    return max(radix * -(-size // (radix * threads)) for radix in radices)


def used_radices(*radices: int) -> dict[str, Define]:
    """The radices of a kernel, as `register_butterflies.glsl` asks for them."""
    return {"USED_RADICES": " ".join(f"USE({radix})" for radix in sorted(set(radices)))}


def factors(size: int, largest: int = LARGEST_RADIX, order: Order = "falling") -> tuple[int, ...] | None:
    """The radices of a length that has no other prime factors than 2 and ODD_RADICES, none of the even ones above
    `largest` and as few of them as that allows; None for other lengths.

    Odd radices come first, because a first stage writes at the stride of its radix, and an odd stride meets every bank
    of shared memory. Even ones follow in an order: all that can be are the largest and what is left is last, or first,
    or they are as like each other as can be.
    """
    odd, rest = [], size
    for radix in ODD_RADICES:
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
    """Why the radices don't make a length; None where they do."""
    primes = ", ".join(map(str, sorted((2, *ODD_RADICES[1:]))))
    return None if factors(size) else f"needs a product of {primes} and {ODD_RADICES[0]}, not {size}"


def divide(size: int, axis: int, options: RegisterOptions, element_bytes: int = TEXEL_BYTES) -> Division:
    """Divide lines that are transformed with length `size`, which `factors` can take apart."""
    is_free = options.order == "auto" and options.butterflies == "auto"
    split = options.radix == "split" and is_free and size in SPLIT_RADICES and element_bytes == TEXEL_BYTES
    order = options.order if options.order != "auto" else "falling"
    radices = SPLIT_RADICES[size] if split else factors(size, options.largest_radix, order)
    if not radices:
        raise ValueError(f"{size} has no radices")
    butterflies = options.butterflies if options.butterflies != "auto" else 1
    least = -(-size // (butterflies * (radices[0] if split else max(radices))))
    threads = next(count for count in range(least, size + 1) if most_elements(radices, count) <= MOST_ELEMENTS)
    stride = radices[0]
    line_bytes = element_bytes * (size + (size // stride if options.padding == "padded" else 0))
    exchanges = EXCHANGE_BYTES.values() if options.exchange == "auto" else [EXCHANGE_BYTES[options.exchange]]
    allowed = sorted({max(1, element_bytes // exchanged) for exchanged in exchanges})
    fitting = max(1, min(8, GUARANTEED_THREADS // threads, GROUP_BYTES * min(2, allowed[-1]) // line_bytes))
    chosen = options.lines_along(axis)
    lines = min(fitting, max(LEAST_LINES, GROUP_THREADS[axis] // threads)) if chosen == "auto" else chosen
    group_bytes = line_bytes * lines
    halved = element_bytes == TEXEL_BYTES and stride >= 8  # whole elements at such strides collide in the banks
    usual = allowed[1:2] if halved and len(allowed) > 1 else allowed[:2]
    limits = [(parts, most) for most in (GROUP_BYTES, GUARANTEED_BYTES) for parts in usual]
    fits = (parts for parts, most in limits if group_bytes // parts <= most)
    parts = 2 if split else next(fits, allowed[-1])
    has_room = group_bytes // parts * (stride + 1) // stride <= GUARANTEED_BYTES
    padded = options.padding == "padded" or (options.padding == "auto" and stride >= 8 and has_room)
    padding = stride if padded else 0
    powers = options.roots == "powers"
    return Division(radices, threads, lines, parts, padding, element_bytes, powers, split)


class RegisterTransform(LineTransform):
    """A line kernel made of `registers.glsl`."""

    Options = RegisterOptions
    in_place = True  # a group has read all of its lines before it writes any

    def __init__(self, fields: FieldStorage[Any], axis: int, options: RegisterOptions, scale: float) -> None:
        size = self.length(fields.length(axis))
        options = options.resolved(size, axis, fields)
        self.division = divide(size, axis, options, fields.element_bytes)
        super().__init__(fields, axis, options, scale)

    @classmethod
    def length(cls, size: int) -> int:
        """Length of the transforms that the kernel makes for a line of `size`."""
        return size

    @property
    def root_count(self) -> int:
        return self.length(self.size)

    @classmethod
    def threads(cls, size: int, options: Parameters) -> int:
        return cls.largest(size, options).group_threads

    @classmethod
    def shared_bytes(cls, size: int, options: Parameters) -> int:
        return cls.largest(size, options).shared_bytes

    @classmethod
    def largest(cls, size: int, options: Parameters) -> Division:
        """The division with the larger work groups."""
        divisions = (divide(cls.length(size), axis, cast(RegisterOptions, options)) for axis in (ROWS, COLUMNS))
        return max(divisions, key=lambda division: (division.shared_bytes, division.group_threads))

    @property
    def group_lines(self) -> int:
        return self.division.lines

    @property
    def swaps(self) -> bool:
        return False

    def extra_defines(self) -> dict[str, Define]:
        ragged = self.fields.lines(self.axis) % self.group_lines != 0
        return {**self.division.defines(), "ABREAST": int(self.is_abreast), "GUARDED": int(ragged)}

    @property
    def is_abreast(self) -> bool:
        """Whether neighbouring invocations belong to neighbouring lines."""
        options = cast(RegisterOptions, self.options)
        return self.axis == COLUMNS or options.go_down_rows(of_image=not self.fields.BUFFER)
