"""Stockham transforms through images, shared memory or main memory: natural order in and out, no bit reversal.

Mota, "High Performance Fourier Transforms on GPUs" (Minho 2022), sections 4.2, 4.3, 5.3.2 and 5.3.3; Govindaraju et
al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), for the exchange in shared memory
and, in section IV.A, for one dispatch per stage.
"""

from collections.abc import Iterator
from functools import partial
from math import prod
from typing import Any, NamedTuple

from ocean.fft.kernels import LineTransform, PlaneTransform
from ocean.fft.options import ButterflyOptions, GlobalOptions, KernelOptions
from ocean.fft.registers import GUARANTEED_BYTES, factors, smooth_obstacle, strided, used_radices
from ocean.fft.stages import Memory, Stage, load, moves, pingpong, stockham
from ocean.fft.storage import ROWS, FieldStorage
from ocean.gpu.shaders import Define


class StockhamRadix2(LineTransform[ButterflyOptions]):
    summary = "Radix-2 Stockham, all stages of an axis in one dispatch, ping-pong between images, no bit reversal."
    shader = "fft/stockham_radix2.comp"
    Options = ButterflyOptions
    PING_PONG = True
    RADIX = 2

    @classmethod
    def threads(cls, size: int, options: ButterflyOptions) -> int:
        return size // cls.RADIX // options.butterflies

    def extra_defines(self) -> dict[str, Define]:
        return {"BUTTERFLIES": self.options.butterflies}

    def stages(self) -> Iterator[Stage]:
        threads = self.threads(self.size, self.options)
        for stage, (radix, stride) in enumerate(strided(factors(self.size, self.RADIX) or ())):
            products = None if radix == self.RADIX else 0  # the closing stage has no roots
            butterflies = stockham(self.size, radix, stride, threads, in_frequency=True, products=products)
            yield Stage(butterflies, pingpong(stage), dispatches=int(stage == 0), waits=stage > 0)


class StockhamRadix4(StockhamRadix2):
    summary = "Radix-4 Stockham: half the stages and traffic of radix 2; odd powers close with one radix-2 stage."
    shader = "fft/stockham_radix4.comp"
    RADIX = 4

    @classmethod
    def stage_count(cls, size: int) -> int:
        return size.bit_length() // 2  # half of log2, rounded up


class StockhamShared(LineTransform[KernelOptions]):
    summary = "Radix-2 Stockham in shared memory: each axis reads and writes the images once."
    shader = "fft/stockham_shared.comp"
    SHARED_BYTES = 16
    in_place = True
    LAYERED = True

    def stages(self) -> Iterator[Stage]:
        size, threads = self.size, self.size // 2
        for stage in range(self.log2_size):
            is_last = stage == self.log2_size - 1
            butterflies = stockham(size, 2, 1 << stage, threads, in_frequency=True, products=0 if is_last else 1)
            yield Stage(load(size, threads), Memory.REGISTERS, dispatches=int(stage == 0), waits=stage > 0)
            yield Stage(butterflies, Memory.FRONT if is_last else Memory.SHARED, waits=stage > 0)


GROUPS = {True: (32, 2), False: (8, 8)}  # work groups of rows and of columns: butterflies along a line x lines


class PassStage(NamedTuple):
    radix: int
    stride: int
    sorts: bool  # sorts in shared memory before it writes


class StockhamGlobal(PlaneTransform[GlobalOptions]):
    """A transform with one program per radix; uniforms describe the stage."""

    summary = "Stockham of radix 2, 4 or 8, one dispatch per stage: lines of any length, through memory each time."
    Options = GlobalOptions
    DOUBLE = True
    size_obstacle = staticmethod(smooth_obstacle)

    def __init__(self, fields: FieldStorage[Any], axis: int, options: GlobalOptions, scale: float) -> None:
        super().__init__(fields, axis, options, scale)
        self.group = GROUPS[axis == ROWS]
        self.passes: list[PassStage] = []
        for radix, stride in strided(factors(self.size, options.radix) or ()):
            fits = prod(self.group) * radix * fields.element_bytes <= GUARANTEED_BYTES
            sorts = options.exchange == "sorted" and axis == ROWS and self.group[0] % stride == 0 and fits
            defines = {"RADIX": radix, "EXCHANGE": int(sorts), "WRITES_FRONT": 0, **used_radices(radix)}
            self.compile("fft/stockham_global.comp", **defines)
            self.passes.append(PassStage(radix, stride, sorts))

    def stages(self) -> Iterator[Stage]:
        for number, one in enumerate(self.passes):
            butterflies = stockham(self.size, one.radix, one.stride, self.size // one.radix, products=one.radix - 1)
            if one.sorts:
                along, run = self.group[0], self.group[0] * one.radix  # results of a work group
                sort = moves("sort", self.size, partial(_sorting_thread, along, run))
                yield Stage(butterflies, Memory.SHARED, dispatches=1)
                yield Stage(sort, pingpong(number), waits=True)
            else:
                yield Stage(butterflies, pingpong(number), dispatches=1)

    def run(self, inverse: bool) -> None:
        for kernel, stage in zip(self.kernels, self.passes, strict=True):
            scale = self.scale if stage is self.passes[-1] else 1.0
            self.set(kernel, inverse, stride=stage.stride, scale=scale)
            self.dispatch_along(kernel, self.size // stage.radix)


def _sorting_thread(along: int, run: int, place: int) -> int:
    """Return the invocation that writes a position: the `along` invocations of a group take turns along its run."""
    return place // run * along + place % run % along
