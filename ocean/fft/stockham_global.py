"""Stockham with one dispatch per stage, for lines of any length: only the storage holds the line.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), section IV.A. In
double precision it is the reference on the GPU.
"""

from math import prod
from typing import Any, Literal, NamedTuple

import moderngl

from ocean.common.parameters import parameter
from ocean.fft.kernels import KernelOptions, PlaneTransform
from ocean.fft.registers import GUARANTEED_BYTES, factors, smooth_obstacle, strided, used_radices
from ocean.fft.storage import ROWS, FieldStorage

GROUPS = {True: (32, 2), False: (8, 8)}  # work groups of rows and of columns: butterflies along a line x lines


class GlobalOptions(KernelOptions):
    """Options of the transform with one dispatch per stage."""

    radix: Literal[2, 4, 8] = parameter(8, "Largest radix of a stage; a larger one needs fewer stages and dispatches.")
    exchange: Literal["none", "sorted"] = parameter(
        "none", "Stages of small stride write their rows at once, or sort them in shared memory first."
    )


class PassStage(NamedTuple):
    """One dispatch of the transform."""

    kernel: moderngl.ComputeShader
    radix: int
    stride: int
    sorts: bool  # sorts in shared memory before it writes


class StockhamGlobal(PlaneTransform):
    """A transform with one program per radix; uniforms describe the stage."""

    summary = "Stockham of radix 2, 4 or 8, one dispatch per stage: lines of any length, through memory each time."
    Options = GlobalOptions
    DOUBLE = True

    def __init__(self, fields: FieldStorage[Any], axis: int, options: GlobalOptions, scale: float) -> None:
        super().__init__(fields, axis, options, scale)
        self.group = GROUPS[axis == ROWS]
        self.stages: list[PassStage] = []
        for radix, stride in strided(factors(self.size, options.radix) or ()):
            fits = prod(self.group) * radix * fields.element_bytes <= GUARANTEED_BYTES
            sorts = options.exchange == "sorted" and axis == ROWS and self.group[0] % stride == 0 and fits
            defines = {"RADIX": radix, "EXCHANGE": int(sorts), "WRITES_FRONT": 0, **used_radices(radix)}
            self.stages.append(PassStage(self.compile("fft/stockham_global.comp", **defines), radix, stride, sorts))

    @classmethod
    def size_obstacle(cls, size: int) -> str | None:
        return smooth_obstacle(size)

    @property
    def dispatches(self) -> int:
        return len(self.stages)

    def run(self, inverse: bool) -> None:
        for number, stage in enumerate(self.stages, start=1):
            scale = self.scale if number == len(self.stages) else 1.0
            self.set(stage.kernel, inverse, stride=stage.stride, scale=scale)
            self.step(stage.kernel, self.size // stage.radix)
