"""The GPU transform that a sequential one turns into first: a dispatch for the bit reversal, then one for each stage.

Rao, "Implementation of Fast Fourier Transform" (NYU 2019), section IV, which it left slower than the CPU.
"""

from typing import Literal

import moderngl

from ocean.fft.contract import FieldLayers
from ocean.fft.kernels import COLUMNS, ROWS, KernelOptions, KernelPlan
from ocean.gpu.shaders import Define, shader_library
from ocean.parameters import parameter

ALONG, ACROSS = 4, 8  # a work group's invocations along and across the lines, where it has more than one


class NaiveOptions(KernelOptions):
    invocations: Literal["one-per-group", "one-per-butterfly"] = parameter(
        "one-per-group", "One invocation for each group of butterflies, as published, or for each butterfly."
    )


class Naive(KernelPlan):
    """Rows are reversed into the back image and stay there, columns come back to the front one."""

    summary = "Radix 2 as one first writes it: a dispatch to reverse, one a stage, and too few invocations."
    Options = NaiveOptions

    def __init__(self, ctx: moderngl.Context, layers: FieldLayers, options: NaiveOptions, scale: float) -> None:
        super().__init__(ctx, layers, options, scale)
        self.per_group = options.invocations == "one-per-group"
        self._reversals = tuple(self._compile(axis, reversal=True) for axis in (ROWS, COLUMNS))
        self._stages = tuple(self._compile(axis, reversal=False) for axis in (ROWS, COLUMNS))

    def _compile(self, axis: int, reversal: bool) -> moderngl.ComputeShader:
        ends_in_front = axis == COLUMNS
        defines: dict[str, Define] = {
            "SIZE": self.layers.size,
            "LOG2_SIZE": self.log2_size,
            "AXIS": axis,
            "REVERSAL": int(reversal),
            "PER_GROUP": int(self.per_group),
            "TABLE_ROOTS": int(self.table),
            "READS_FRONT": int(ends_in_front != reversal),
            "WRITES_FRONT": int(ends_in_front),
            "LAST_SCALE": repr(float(self.scale if axis == COLUMNS else 1.0)),
        }
        return shader_library(self.ctx).compute("fft/naive.comp", **defines)

    @property
    def axis_dispatches(self) -> int:
        return 1 + self.log2_size

    @property
    def axis_bytes(self) -> int:
        return 2 * self.layers.bytes * self.axis_dispatches

    def rows(self, inverse: bool) -> None:
        self._run(ROWS, inverse)

    def columns(self, inverse: bool) -> None:
        self._run(COLUMNS, inverse)

    def _run(self, axis: int, inverse: bool) -> None:
        size, stage = self.layers.size, self._stages[axis]
        self.bind()
        self._dispatch(self._reversals[axis], axis, size // ALONG, size // ACROSS)
        stage["direction"] = 1.0 if inverse else -1.0
        for half_span in (1 << number for number in range(self.log2_size)):
            stage["half_span"] = half_span
            if self.per_group:
                self._dispatch(stage, axis, size // (2 * half_span), size)
            else:
                self._dispatch(stage, axis, size // 2 // ALONG, size // ACROSS)

    def _dispatch(self, kernel: moderngl.ComputeShader, axis: int, along: int, across: int) -> None:
        groups = (along, across) if axis == ROWS else (across, along)
        kernel.run(*groups, self.layers.layers)
        self.ctx.memory_barrier(moderngl.Context.SHADER_IMAGE_ACCESS_BARRIER_BIT)
