"""Counts of a transform's work: operations on real numbers, barriers, bytes of storage and of programs.

Operations are the additions and multiplications of butterflies and of products by roots, as the kernels do them,
including roots that are 1. The computation of roots, addresses and the scale does not count.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch

import moderngl

from ocean.fft.bluestein import Bluestein, LongBluestein
from ocean.fft.contract import AxisTransform, FFTPlan
from ocean.fft.digit_reversal import DigitReversal
from ocean.fft.four_step import FourStep
from ocean.fft.kernels import KernelTransform
from ocean.fft.registers import Division
from ocean.fft.split_radix import SplitRadix
from ocean.fft.stockham import StockhamGlobal, StockhamRadix2, StockhamRadix4, StockhamShared
from ocean.fft.stockham_registers import StockhamRegisters
from ocean.fft.textbook import CooleyTukey, CooleyTukeyStages, DirectSum, Naive, NaturalOrder
from ocean.gpu.context import GL_PROGRAM_BINARY_LENGTH, program_integer
from ocean.gpu.passes import Pass, Work

PRODUCT = 6
"""Operations of a product of two complex numbers."""


@dataclass(frozen=True)
class LineCounts:
    """The counts for one line of complex numbers, and for the work group that transforms it."""

    flops: int
    barriers: int = 0  # barriers within the work group


def butterfly_flops(radix: int) -> int:
    """Return the operations of a butterfly in `shaders/fft/butterflies`: an odd radix folds q and R - q together. Radix
    17 is Rader's: two butterflies of 16, products between them, and two additions."""
    even = {2: 4, 4: 16, 8: 56, 16: 168}
    return even.get(radix) or (2 * even[16] + 16 * PRODUCT + 4 if radix == 17 else 2 * (radix**2 - 1))


def stage_flops(size: int, radix: int, products: int | None = None) -> int:
    """Return the operations of a stage. Its butterflies multiply `products` elements by roots: by default all but the
    first element."""
    return size // radix * (butterfly_flops(radix) + PRODUCT * (radix - 1 if products is None else products))


@singledispatch
def count_line(transform: AxisTransform) -> LineCounts | None:
    """Return the counts of a transform of one line, or None if there is no count for its class."""
    return None


@count_line.register
def _(transform: CooleyTukeyStages | Naive) -> LineCounts:
    return LineCounts(transform.log2_size * stage_flops(transform.size, 2))


@count_line.register
def _(transform: CooleyTukey | StockhamRadix2) -> LineCounts:
    return LineCounts(transform.log2_size * stage_flops(transform.size, 2), transform.log2_size - 1)


@count_line.register
def _(transform: NaturalOrder) -> LineCounts:
    return LineCounts(transform.log2_size * stage_flops(transform.size, 2), 2 * transform.log2_size - 1)


@count_line.register
def _(transform: StockhamRadix4) -> LineCounts:
    whole, closing = divmod(transform.log2_size, 2)
    flops = whole * stage_flops(transform.size, 4) + closing * stage_flops(transform.size, 2, 0)
    return LineCounts(flops, whole + closing - 1)


@count_line.register
def _(transform: StockhamShared) -> LineCounts:
    later = transform.log2_size - 1
    return LineCounts(later * stage_flops(transform.size, 2) + stage_flops(transform.size, 2, 0), 2 * later)


@count_line.register
def _(transform: DirectSum) -> LineCounts:
    return LineCounts(transform.size**2 * (PRODUCT + 2), 1)


@count_line.register
def _(transform: DigitReversal) -> LineCounts:
    first, *later = transform.radices
    flops = stage_flops(transform.size, first, 0) + sum(stage_flops(transform.size, radix) for radix in later)
    return LineCounts(flops, transform.narrow)


@count_line.register
def _(transform: SplitRadix) -> LineCounts:
    """Count L-shaped butterflies: six additions and two products. Stage s, from 0, has (2^(s + 1) + (-1)^s) / 3
    transforms."""
    blocks = [(2 << stage) // 3 + (stage % 2 == 0) for stage in range(transform.log2_size)]
    shaped = sum(count * (transform.size >> stage) // 4 for stage, count in enumerate(blocks[:-1]))
    return LineCounts(shaped * (6 * 2 + 2 * PRODUCT) + blocks[-1] * butterfly_flops(2), transform.log2_size)


def split_flops(size: int, radix: int) -> int:
    """Return the operations of a stage of twice the radix on halves: pairs, with roots before and between, and two
    butterflies."""
    return size // (2 * radix) * (radix * (4 + 3 * PRODUCT) + 2 * butterfly_flops(radix))


def count_registers(division: Division, is_first: bool = True) -> LineCounts:
    """Return the counts of a transform in registers.

    Each part of an exchange has a barrier before it writes and one before it reads. The first write of a group needs
    none.
    """
    first, *later = division.radices
    flops = stage_flops(division.size, first, 0) + sum(stage_flops(division.size, radix) for radix in later)
    if division.split:
        flops += split_flops(division.size, first) - stage_flops(division.size, 2 * first)
    fresh = is_first and bool(later)
    return LineCounts(flops, 2 * division.parts * len(later) - fresh)


@count_line.register
def _(transform: StockhamRegisters) -> LineCounts:
    return count_registers(transform.division)


@count_line.register
def _(transform: StockhamGlobal) -> LineCounts:
    sorts = sum(one.sorts for one in transform.stages)
    return LineCounts(sum(stage_flops(transform.size, one.radix) for one in transform.stages), sorts)


@count_line.register
def _(transform: FourStep) -> LineCounts:
    inner = [count_registers(division) for division in transform.divisions]
    twiddles = PRODUCT * transform.size * (len(inner) - 1)
    parts = zip(transform.divisions, inner, strict=True)
    flops = sum(transform.size // division.size * one.flops for division, one in parts)
    return LineCounts(flops + twiddles, sum(one.barriers for one in inner))


@count_line.register
def _(transform: Bluestein) -> LineCounts:
    inner = count_registers(transform.division, is_first=False)  # both transforms are one loop
    chirps = PRODUCT * (2 * transform.size + 2 * transform.division.size)  # before, after, and twice in between
    return LineCounts(2 * inner.flops + chirps, 2 * inner.barriers)


@count_line.register
def _(transform: LongBluestein) -> LineCounts | None:
    inner = count_line(transform.inner)
    chirps = PRODUCT * (2 * transform.size + transform.inner.size)
    return LineCounts(2 * inner.flops + chirps, 2 * inner.barriers) if inner else None


@dataclass(frozen=True)
class Counts:
    """The counts for a run of several transforms; None is unknown."""

    flops: int | None
    barriers: int | None
    program_bytes: int | None
    storage_bytes: int


def kernels_of(transform: AxisTransform) -> list[moderngl.ComputeShader]:
    inner = kernels_of(transform.inner) if isinstance(transform, LongBluestein) else []
    return inner + (transform.kernels if isinstance(transform, KernelTransform) else [])


def count_axis(transform: AxisTransform) -> int | None:
    """Return the operations of all lines along an axis, or None if they are unknown."""
    line, fields = count_line(transform), transform.fields
    return line.flops * fields.lines(transform.axis) * fields.layers * fields.packed if line else None


def counted_passes(plan: FFTPlan) -> tuple[Pass, ...]:
    """Return the passes of a plan, whose work has the operations of the transform too."""

    def work_of(transform: AxisTransform) -> Callable[[], Work]:
        return lambda: Work(transform.bytes_moved, count_axis(transform) or 0)

    pairs = zip(plan.passes(), plan.transforms, strict=True)
    return tuple(step._replace(count_work=work_of(transform)) for step, transform in pairs)


def count(plan: FFTPlan) -> Counts:
    """Return the counts of all transforms of a plan together, with the buffer between the axes."""
    transforms, fields = plan.transforms, plan.transforms[0].fields
    lines = [line for one in transforms if (line := count_line(one))]
    is_counted = len(lines) == len(transforms)
    kernels = {kernel.glo: kernel for one in transforms for kernel in kernels_of(one)}
    halves = 1 + any(not one.in_place for one in transforms if isinstance(one, KernelTransform))
    return Counts(
        flops=sum(count_axis(one) or 0 for one in transforms) if is_counted else None,
        barriers=sum(line.barriers for line in lines) if is_counted else None,
        program_bytes=sum(map(program_bytes, kernels.values())) or None,
        storage_bytes=halves * fields.bytes
        + sum(one.own_bytes for one in transforms)
        + (plan.middle.bytes if plan.middle else 0),
    )


def program_bytes(program: moderngl.ComputeShader) -> int:
    """Return the length of the driver's binary, or 0 if the driver gives none."""
    return program_integer(program.ctx, program.glo, GL_PROGRAM_BINARY_LENGTH)
