"""Stockham transforms of mixed radix with the data in registers, exchanged through shared memory between stages.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), sections IV.B and
IV.D. This module decides how a line is divided: into which radices, among how many invocations, how many lines a group.
"""

from dataclasses import dataclass
from math import prod
from typing import Literal, cast

from ocean.fft.kernels import COLUMNS, ROWS, KernelOptions, LinePlan
from ocean.gpu.shaders import Define
from ocean.parameters import Parameters, parameter

ODD_RADICES = (7, 5, 3)
GROUP_THREADS = {ROWS: 128, COLUMNS: 256}
"""Invocations that a work group should have. Enough of them hide latency, and columns come several at a time."""

LEAST_COLUMNS = 2  # of 16 bytes each: the 32 bytes that memory delivers at once
GROUP_BYTES = 16384
"""Shared memory that a work group should take at most, so that a processor holds several groups at a time."""

GUARANTEED_THREADS, GUARANTEED_BYTES = 1024, 32768  # of a work group, by OpenGL 4.3
PARTS = {"vec4": 1, "vec2": 2, "float": 4}  # in which a texel of 16 bytes is exchanged


class RegisterOptions(KernelOptions):
    """Options of the kernels that keep their data in registers."""

    radix: Literal["auto", 4, 8, 16] = parameter(
        "auto", "Largest radix: a larger one needs fewer stages and more registers."
    )
    lines: Literal["auto", 1, 2, 4, 8] = parameter("auto", "Lines of one work group, at most; a divisor of the size.")
    exchange: Literal["auto", "vec4", "vec2", "float"] = parameter(
        "auto", "What goes through shared memory at once: whole texels, halves, or single floats."
    )
    padding: Literal["auto", "none", "padded"] = parameter(
        "auto", "Slots of shared memory left out, so that strided writes spread over its banks."
    )


@dataclass(frozen=True)
class Division:
    """How a transform of one length is divided among invocations."""

    radices: tuple[int, ...]  # in the order of the stages
    threads: int  # of one line
    lines: tuple[int, int]  # of one work group, in rows and in columns
    parts: int  # in which an element is exchanged
    padding: int  # one slot left out after so many; 0 for none

    @property
    def size(self) -> int:
        return prod(self.radices)

    @property
    def elements(self) -> int:
        """Registers of an invocation: the most that a stage needs."""
        return max(radix * -(-self.size // (radix * self.threads)) for radix in self.radices)

    @property
    def line_slots(self) -> int:
        """Slots of shared memory for one line."""
        return self.size + (self.size // self.padding if self.padding else 0)

    @property
    def group_threads(self) -> int:
        """Invocations of the larger work group."""
        return self.threads * max(self.lines)

    @property
    def shared_bytes(self) -> int:
        """Shared memory of the larger work group."""
        return self.line_slots * max(self.lines) * 16 // self.parts if len(self.radices) > 1 else 0

    def defines(self) -> dict[str, Define]:
        """What `registers.glsl` asks for, but for what depends on the axis."""
        return {
            "SIZE": self.size,
            "STAGES": len(self.radices),
            **{f"RADIX_{stage}": radix for stage, radix in enumerate(self.radices)},
            **{f"USES_RADIX_{radix}": 1 for radix in self.radices},
            "LAST_RADIX": self.radices[-1],
            "THREADS": self.threads,
            "ELEMENTS": self.elements,
            "PARTS": self.parts,
            "PADDING": self.padding,
            "LINE_SLOTS": self.line_slots,
        }

    def axis_defines(self, axis: int) -> dict[str, Define]:
        lines, threads = self.lines[axis], self.threads
        return {
            "LINES": lines,
            "GROUP_X": threads if axis == ROWS else lines,
            "GROUP_Y": lines if axis == ROWS else threads,
        }


def factors(size: int, largest: int | None = None) -> tuple[int, ...] | None:
    """The radices of a length 2^a 3^b 5^c 7^d, none of the even ones above `largest`; None for other lengths.

    Odd radices come first, because a first stage writes at the stride of its radix, and an odd stride meets every bank
    of shared memory. Without a wish, powers of four take radix 4 and the rest radix 8, as 256 to 2048 were fastest.
    """
    radices, rest = [], size
    for radix in ODD_RADICES:
        while rest % radix == 0 and rest > 1:
            radices.append(radix)
            rest //= radix
    if rest < 1 or rest & (rest - 1):
        return None
    if largest is None:
        largest = 8 if rest.bit_length() % 2 == 0 else 4
    while rest > 1:
        radices.append(min(largest, rest))
        rest //= radices[-1]
    return tuple(radices)


def smooth_obstacle(size: int) -> str | None:
    """Why radices of 2, 3, 5 and 7 don't make a length; None where they do."""
    return None if factors(size) else f"needs a product of 2, 3, 5 and 7, not {size}"


def divide(size: int, count: int, options: RegisterOptions) -> Division:
    """Divide `count` lines that are transformed with length `size`, which has only the factors 2, 3, 5 and 7."""
    radices = factors(size, None if options.radix == "auto" else options.radix)
    if not radices:
        raise ValueError(f"{size} has no radices")
    threads = size // max(radices)  # one butterfly of the largest radix each
    stride = radices[0]
    line_bytes = 16 * (size + (size // stride if options.padding == "padded" else 0))
    allowed = list(PARTS.values()) if options.exchange == "auto" else [PARTS[options.exchange]]
    if options.lines == "auto":
        fitting = max(1, min(8, GUARANTEED_THREADS // threads, GUARANTEED_BYTES * allowed[-1] // line_bytes))
        least = {ROWS: 1, COLUMNS: LEAST_COLUMNS}
        wanted = [min(fitting, max(least[axis], GROUP_THREADS[axis] // threads)) for axis in (ROWS, COLUMNS)]
    else:
        wanted = [options.lines] * 2
    rows, columns = (max(lines for lines in range(1, most + 1) if count % lines == 0) for most in wanted)
    group_bytes = line_bytes * max(rows, columns)
    parts = next((parts for parts in allowed if group_bytes // parts <= GROUP_BYTES), allowed[-1])
    room = group_bytes // parts * (stride + 1) // stride <= GUARANTEED_BYTES
    padded = options.padding == "padded" or (options.padding == "auto" and stride >= 8 and room)
    return Division(radices, threads, (rows, columns), parts, stride if padded else 0)


class RegisterPlan(LinePlan):
    """A line kernel made of `registers.glsl`."""

    Options = RegisterOptions
    IN_PLACE = True  # a group has read all of its lines before it writes any

    @classmethod
    def length(cls, size: int) -> int:
        """Length of the transforms that the kernel makes for a line of `size`."""
        return size

    @classmethod
    def division(cls, size: int, options: Parameters) -> Division:
        return divide(cls.length(size), size, cast(RegisterOptions, options))

    @classmethod
    def root_count(cls, size: int) -> int:
        return cls.length(size)

    @classmethod
    def threads(cls, size: int, options: Parameters) -> int:
        return cls.division(size, options).group_threads

    @classmethod
    def shared_bytes(cls, size: int, options: Parameters) -> int:
        return cls.division(size, options).shared_bytes

    def lines(self, axis: int) -> int:
        return self.division(self.layers.size, self.options).lines[axis]

    def swaps(self, odd_stages: bool) -> bool:
        return False

    def extra_defines(self) -> dict[str, Define]:
        return self.division(self.layers.size, self.options).defines()

    def axis_defines(self, axis: int) -> dict[str, Define]:
        return self.division(self.layers.size, self.options).axis_defines(axis)


class StockhamRegisters(RegisterPlan):
    """Any length 2^a 3^b 5^c 7^d."""

    summary = "Mixed-radix Stockham (2 to 16, 3, 5, 7) in registers, exchanged through padded shared memory."
    shader = "fft/stockham_registers.comp"

    @classmethod
    def size_obstacle(cls, size: int) -> str | None:
        return smooth_obstacle(size)
