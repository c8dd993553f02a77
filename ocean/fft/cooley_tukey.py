"""Radix-2 Cooley-Tukey: with the bit reversal first, in a dispatch a stage and in a dispatch an axis; and in natural
order, with a re-ordering after each stage.

Mota, "High Performance Fourier Transforms on GPUs" (Minho 2022), sections 4.1 and 5.3.1.
"""

import moderngl

from ocean.fft.contract import FieldLayers
from ocean.fft.kernels import COLUMNS, ROWS, KernelOptions, KernelPlan, LinePlan, PingPongPlan
from ocean.gpu.shaders import shader_library

ROWS_GROUP = (4, 8)  # butterflies along a row x rows; columns have it transposed


class CooleyTukeyStages(KernelPlan):
    """The generic kernel: one program for all sizes, told about each stage by uniforms."""

    summary = "Radix-2 Cooley-Tukey, one dispatch a stage: the generic kernel, slowed by its dispatches and uniforms."

    def __init__(self, ctx: moderngl.Context, layers: FieldLayers, options: KernelOptions, scale: float) -> None:
        super().__init__(ctx, layers, options, scale)
        library = shader_library(ctx)
        shader, table = "fft/cooley_tukey_stages.comp", int(self.table)
        self._kernels = tuple(library.compute(shader, AXIS=axis, TABLE_ROOTS=table) for axis in (ROWS, COLUMNS))

    @property
    def axis_dispatches(self) -> int:
        return self.log2_size

    @property
    def axis_bytes(self) -> int:
        return 2 * self.layers.bytes * self.log2_size

    def rows(self, inverse: bool) -> None:
        self._run(ROWS, inverse)

    def columns(self, inverse: bool) -> None:
        self._run(COLUMNS, inverse)

    def _run(self, axis: int, inverse: bool) -> None:
        kernel, size, along = self._kernels[axis], self.layers.size, ROWS_GROUP
        groups = (size // 2 // along[0], size // along[1])
        if axis == COLUMNS:
            groups = groups[::-1]
        self.bind()
        for stage in range(self.log2_size):
            kernel["stage"] = stage
            kernel["log2_size"] = self.log2_size
            kernel["pingpong"] = (stage + axis * self.log2_size) & 1
            kernel["direction"] = 1.0 if inverse else -1.0
            kernel["scale"] = self.scale if axis == COLUMNS else 1.0
            kernel.run(*groups, self.layers.layers)
            self.ctx.memory_barrier(moderngl.Context.SHADER_IMAGE_ACCESS_BARRIER_BIT)


class CooleyTukey(PingPongPlan):
    """All stages of a line in one dispatch."""

    summary = "Radix-2 Cooley-Tukey, all stages of an axis in one dispatch, ping-pong between images."
    shader = "fft/cooley_tukey.comp"


class NaturalOrder(LinePlan):
    """Each stage is followed by a re-ordering: the step between Cooley-Tukey and Stockham."""

    summary = "Radix-2 Cooley-Tukey that re-orders after each stage: no bit reversal, but everything moves twice."
    shader = "fft/natural_order.comp"

    def swaps(self, odd_stages: bool) -> bool:
        return False  # butterflies go from front to back, the re-ordering returns to front

    @property
    def axis_bytes(self) -> int:
        return 4 * self.layers.bytes * self.log2_size
