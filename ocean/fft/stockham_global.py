"""Stockham with a dispatch a stage, for lines of any length: nothing but the two images holds the line.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), section IV.A.
"""

from typing import Literal, cast

import moderngl

from ocean.fft.contract import FieldLayers
from ocean.fft.kernels import COLUMNS, ROWS, KernelOptions, KernelPlan
from ocean.fft.registers import factors, smooth_obstacle
from ocean.gpu.shaders import shader_library
from ocean.parameters import parameter

GROUP = 8  # butterflies along a line, and lines, of a work group


class GlobalOptions(KernelOptions):
    """Options of the transform with a dispatch a stage."""

    radix: Literal[2, 4, 8] = parameter(8, "Largest radix of a stage, and so how many stages and dispatches there are.")


class StockhamGlobal(KernelPlan):
    """One program a radix, told about its stage by uniforms."""

    summary = "Stockham of radix 2, 4 or 8, one dispatch a stage: lines of any length, through memory each time."
    Options = GlobalOptions

    def __init__(self, ctx: moderngl.Context, layers: FieldLayers, options: KernelOptions, scale: float) -> None:
        super().__init__(ctx, layers, options, scale)
        self.radices = factors(layers.size, cast(GlobalOptions, options).radix) or ()
        library = shader_library(ctx)
        self._kernels = {
            (axis, radix): library.compute(
                "fft/stockham_global.comp",
                AXIS=axis,
                RADIX=radix,
                **{f"USES_RADIX_{radix}": 1},
                SIZE=layers.size,
                GROUP=GROUP,
                TABLE_ROOTS=int(self.table),
            )
            for axis in (ROWS, COLUMNS)
            for radix in set(self.radices)
        }

    @classmethod
    def size_obstacle(cls, size: int) -> str | None:
        return smooth_obstacle(size)

    @property
    def axis_dispatches(self) -> int:
        return len(self.radices)

    @property
    def axis_bytes(self) -> int:
        return 2 * self.layers.bytes * len(self.radices)

    def rows(self, inverse: bool) -> None:
        self._run(ROWS, inverse)

    def columns(self, inverse: bool) -> None:
        self._run(COLUMNS, inverse)

    def _run(self, axis: int, inverse: bool) -> None:
        size, stages = self.layers.size, len(self.radices)
        lines, stride = groups(size), 1
        self.bind()
        for stage, radix in enumerate(self.radices):
            kernel, along = self._kernels[axis, radix], groups(size // radix)
            last = axis == COLUMNS and stage == stages - 1
            kernel["stride"] = stride
            kernel["pingpong"] = (stage + axis * stages) & 1
            kernel["direction"] = 1.0 if inverse else -1.0
            kernel["scale"] = self.scale if last else 1.0
            kernel.run(*((along, lines) if axis == ROWS else (lines, along)), self.layers.layers)
            self.ctx.memory_barrier(moderngl.Context.SHADER_IMAGE_ACCESS_BARRIER_BIT)
            stride *= radix


def groups(count: int) -> int:
    """Work groups along an axis of so many invocations."""
    return -(-count // GROUP)
