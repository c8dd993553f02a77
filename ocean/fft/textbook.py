"""Textbook transforms: the direct sum, a naive FFT, Cooley-Tukey, split radix, and numpy's on the CPU as the baseline.

Mota, "High Performance Fourier Transforms on GPUs" (Minho 2022), chapter 2 and sections 2.3, 4.1 and 5.3.1; Rao,
"Implementation of Fast Fourier Transform" (NYU 2019), section IV, for the naive one, which stayed slower than the CPU;
Yavne 1968, and Duhamel and Hollmann 1984, for split radix, which takes the fewest operations.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.common.parameters import Parameters
from ocean.fft.contract import AxisTransform
from ocean.fft.kernels import LineTransform, PlaneTransform
from ocean.fft.options import KernelOptions, NaiveOptions
from ocean.fft.stages import (
    PRODUCT,
    Memory,
    Node,
    Operation,
    Stage,
    bit_reversed,
    in_place,
    load,
    moves,
    pingpong,
    root,
    stage_flops,
    stockham,
    whole,
)
from ocean.fft.storage import FieldStorage
from ocean.gpu.context import Limits, drain, limits
from ocean.gpu.shaders import set_uniforms

LONGEST = 512  # N² terms per line: fifty times the work of a fast transform at 512


class DirectSum(LineTransform[KernelOptions]):
    """A transform in which one invocation sums one element of the result, from line and roots in shared memory."""

    summary = "Direct sum of N terms for each of N results: any size from 2 to 512."
    shader = "fft/dft.comp"
    SHARED_BYTES = 24  # one element and one root
    PER_THREAD = 1
    in_place = True

    @staticmethod
    def size_obstacle(size: int) -> str | None:
        if not 2 <= size <= LONGEST:
            return f"needs a size from 2 to {LONGEST}, not {size}: it sums N² terms per line"
        return None

    def stages(self) -> Iterator[Stage]:
        size, line = self.size, range(self.size)

        def sums() -> Iterator[Node]:
            for k in line:
                yield Node(tuple(line), (k,), k, tuple(root(k * n % size, size) for n in line))

        yield Stage(load(size, size), Memory.SHARED, dispatches=1)
        yield Stage(Operation("sum", sums, size**2 * (PRODUCT + 2)), Memory.FRONT, waits=True)


class Naive(PlaneTransform[NaiveOptions]):
    """A transform that moves lines to the back half in bit-reversed order and transforms them there."""

    summary = "Naive radix 2: a dispatch for the bit reversal, then one per stage, with one invocation per group."
    Options = NaiveOptions

    def __init__(self, fields: FieldStorage[Any], axis: int, options: NaiveOptions, scale: float) -> None:
        super().__init__(fields, axis, options, scale)
        self.per_group = options.invocations == "one-per-group"
        self.most = limits(fields.ctx).loop  # maximum number of butterflies in a loop
        self._reversal = self.compile("fft/naive.comp", REVERSAL=1, PER_GROUP=0, WRITES_FRONT=0, SCALED=0)
        self._stage = self.compile(
            "fft/naive.comp", REVERSAL=0, PER_GROUP=int(self.per_group), MOST=self.most, WRITES_FRONT=1
        )

    def stages(self) -> Iterator[Stage]:
        source = partial(bit_reversed, self.log2_size)
        yield Stage(moves("reverse", self.size, lambda place: place, source), Memory.BACK, dispatches=1)
        for half_span in (1 << number for number in range(self.log2_size)):
            butterflies = in_place(self.size, 2, half_span, each=half_span if self.per_group else 1)
            yield Stage(butterflies, Memory.BACK, dispatches=len(self._parts(half_span)))

    def _parts(self, half_span: int) -> range:
        """Return the first butterfly of each dispatch of a stage."""
        return range(0, half_span if self.per_group else 1, self.most)

    def run(self, inverse: bool) -> None:
        self.set(self._reversal, inverse)
        self.dispatch_along(self._reversal, self.size)
        butterflies = self.size // 2
        for half_span in (1 << number for number in range(self.log2_size)):
            scale = self.scale if half_span == butterflies else 1.0
            self.set(self._stage, inverse, half_span=half_span, scale=scale)
            parts = self._parts(half_span)
            for first in parts:
                set_uniforms(self._stage, {"first": first})
                self.dispatch_along(
                    self._stage, butterflies // half_span if self.per_group else butterflies, in_place=True
                )
                if len(parts) > 1:
                    drain(self.ctx)  # NVIDIA's driver ends work of some 15 s that was submitted at once


class CooleyTukeyStages(PlaneTransform[KernelOptions]):
    """A transform with one dispatch per stage and one program for all sizes: uniforms describe the stage."""

    summary = "Radix-2 Cooley-Tukey, one dispatch per stage: the textbook algorithm."

    def __init__(self, fields: FieldStorage[Any], axis: int, options: KernelOptions, scale: float) -> None:
        super().__init__(fields, axis, options, scale)
        self._kernel = self.take(
            "fft/cooley_tukey_stages.comp",
            **fields.defines(),
            **self.plane_defines(),
            AXIS=axis,
            TABLE_ROOTS=int(self.table),
            NATIVE_ROOTS=int(self.native),
            SCALED=int(scale != 1),
            WRITES_FRONT=0,
        )

    def stages(self) -> Iterator[Stage]:
        for stage, butterflies in enumerate(cooley_tukey(self.size)):
            yield Stage(butterflies, pingpong(stage), dispatches=1)

    def run(self, inverse: bool) -> None:
        for stage in range(self.log2_size):
            scale = self.scale if stage == self.log2_size - 1 else 1.0
            self.set(self._kernel, inverse, stage=stage, log2_size=self.log2_size, scale=scale)
            self.dispatch_along(self._kernel, self.size // 2)


class CooleyTukey(LineTransform[KernelOptions]):
    summary = "Radix-2 Cooley-Tukey, all stages of an axis in one dispatch, ping-pong between images."
    shader = "fft/cooley_tukey.comp"
    PING_PONG = True

    def stages(self) -> Iterator[Stage]:
        for stage, butterflies in enumerate(cooley_tukey(self.size)):
            yield Stage(butterflies, pingpong(stage), dispatches=int(stage == 0), waits=stage > 0)


class NaturalOrder(LineTransform[KernelOptions]):
    """A transform that re-orders after each stage: the intermediate step between Cooley-Tukey and Stockham."""

    summary = "Radix-2 Cooley-Tukey that re-orders after each stage: no bit reversal, but twice the traffic."
    shader = "fft/natural_order.comp"

    def stages(self) -> Iterator[Stage]:
        size, half = self.size, self.size // 2
        for stage in range(self.log2_size):
            butterflies = stockham(size, 2, 1 << stage, half, in_frequency=True, is_sorting=False)
            reorder = moves("re-order", size, lambda place: place % half, partial(_place_of_result, half, stage))
            yield Stage(butterflies, Memory.BACK, dispatches=int(stage == 0), waits=stage > 0)
            yield Stage(reorder, Memory.FRONT, waits=True)


def _place_of_result(half: int, stage: int, place: int) -> int:
    """Return the position that a stage in natural order gives to the element at `place` of the next stage."""
    q, odd, p = place % (1 << stage), place >> stage & 1, place >> (stage + 1)
    return q + (p << stage) + odd * half


def cooley_tukey(size: int) -> Iterator[Operation]:
    """Yield the stages of Cooley and Tukey's transform. The first one reads in bit-reversed order."""
    bits = size.bit_length() - 1
    for stage in range(bits):
        yield in_place(size, 2, 1 << stage, source=None if stage else partial(bit_reversed, bits))


class SplitRadix(LineTransform[KernelOptions]):
    """A transform whose L-shaped butterflies halve one part of a block and quarter the other."""

    summary = "Split radix, in place in shared memory: fewest operations, but a third of threads idles in each stage."
    shader = "fft/split_radix.comp"
    SHARED_BYTES = 16
    PER_THREAD = 4
    in_place = True

    def stages(self) -> Iterator[Stage]:
        size, threads = self.size, self.size // 4
        yield Stage(load(size, threads), Memory.SHARED, dispatches=1)
        for stage in range(self.log2_size - 1):
            n, count = size >> stage, sum(map(_is_transform, range(1 << stage)))
            pairs = Operation("pairs", partial(_in_blocks, size, n, _pairs), count * stage_flops(n, 2, 0))
            quarters = Operation(
                "quarters", partial(_in_blocks, size, n, _quarters), count * n // 4 * (4 + 2 * PRODUCT)
            )
            yield Stage(pairs, Memory.REGISTERS, waits=stage > 0)
            yield Stage(quarters, Memory.SHARED)
        last = 4 * sum(map(_is_transform, range(size // 2)))
        yield Stage(Operation("radix 2", partial(_in_blocks, size, 2, _last_pair), last), Memory.SHARED, waits=True)
        source = partial(bit_reversed, self.log2_size)
        yield Stage(moves("reverse", size, lambda place: place % threads, source), Memory.FRONT, waits=True)


def _is_transform(block: int) -> bool:
    """Return whether a block is a transform at its stage: its number ends in an even number of ones."""
    return (block ^ (block + 1)).bit_length() % 2 == 1


def _in_blocks(size: int, n: int, butterflies: Callable[[int, int], Iterator[Node]]) -> Iterator[Node]:
    """Yield the butterflies of each block that is a transform, given its first position, and moves in all others."""
    for first in range(0, size, n):
        if _is_transform(first // n):
            yield from butterflies(first, n)
        else:
            yield from (Node((place,), (place,), None) for place in range(first, first + n))


def _pairs(first: int, n: int) -> Iterator[Node]:
    for p in range(n // 4):
        for upper in (first + p, first + p + n // 4):
            yield Node((upper, upper + n // 2), (upper, upper + n // 2), first // 4 + p)


def _quarters(first: int, n: int) -> Iterator[Node]:
    for p in range(n // 4):
        a, b, c, d = range(first + p, first + n, n // 4)
        thread = first // 4 + p
        yield Node((a,), (a,), thread)
        yield Node((b,), (b,), thread)
        yield Node((c, d), (c, d), thread, (None, root(1, 4)), (root(p, n), root(3 * p, n)))


def _last_pair(first: int, n: int) -> Iterator[Node]:
    yield Node((first, first + 1), (first, first + 1), first // 4)


class NumpyTransform(AxisTransform[Parameters]):
    """A transform by numpy.fft in the storage's precision."""

    summary = "numpy.fft on the CPU, with read back and upload: the baseline."
    DOUBLE = True

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        return None if size > 0 else "needs at least one element"

    def stages(self) -> Iterator[Stage]:
        yield Stage(moves("read back", self.size, lambda place: None), Memory.HOST)
        yield Stage(whole("numpy.fft", self.size), Memory.HOST)
        yield Stage(moves("upload", self.size, lambda place: None), Memory.FRONT)

    def run(self, inverse: bool) -> None:
        self.fields.write(numpy_transform(self.fields.read(), (self.axis,), inverse) * self.scale)


def numpy_transform(fields: NDArray[Any], axes: Sequence[int], inverse: bool) -> NDArray[Any]:
    """Return the transform of fields (fields, height, width) along axes, ROWS or COLUMNS, without a scale."""
    along = [-1 - axis for axis in axes]
    return np.fft.ifftn(fields, axes=along, norm="forward") if inverse else np.fft.fftn(fields, axes=along)
