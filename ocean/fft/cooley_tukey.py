"""Radix-2 Cooley-Tukey with bit reversal, in one dispatch per stage or per axis; and in natural order with a
re-ordering after each stage.

Mota, "High Performance Fourier Transforms on GPUs" (Minho 2022), sections 4.1 and 5.3.1.
"""

from typing import Any

from ocean.fft.kernels import KernelOptions, LineTransform, PingPongTransform, PlaneTransform
from ocean.fft.storage import FieldStorage


class CooleyTukeyStages(PlaneTransform):
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

    @property
    def dispatches(self) -> int:
        return self.log2_size

    def run(self, inverse: bool) -> None:
        for stage in range(self.log2_size):
            scale = self.scale if stage == self.log2_size - 1 else 1.0
            self.set(self._kernel, inverse, stage=stage, log2_size=self.log2_size, scale=scale)
            self.step(self._kernel, self.size // 2)


class CooleyTukey(PingPongTransform):
    """A transform with all stages of a line in one dispatch."""

    summary = "Radix-2 Cooley-Tukey, all stages of an axis in one dispatch, ping-pong between images."
    shader = "fft/cooley_tukey.comp"


class NaturalOrder(LineTransform):
    """A transform that re-orders after each stage, from the back half to the front half: the intermediate step between
    Cooley-Tukey and Stockham."""

    summary = "Radix-2 Cooley-Tukey that re-orders after each stage: no bit reversal, but twice the traffic."
    shader = "fft/natural_order.comp"

    @property
    def bytes_moved(self) -> int:
        return self.fields.io_bytes + 2 * self.fields.bytes * (2 * self.log2_size - 1)
