"""The direct translation of a sequential FFT for the GPU: a dispatch for the bit reversal, then one for each stage.

Rao, "Implementation of Fast Fourier Transform" (NYU 2019), section IV: it stayed slower than the CPU.
"""

from typing import Any, Literal

from ocean.common.parameters import parameter
from ocean.fft.kernels import KernelOptions, PlaneTransform
from ocean.fft.storage import FieldStorage
from ocean.gpu.context import limits
from ocean.gpu.uniforms import set_uniforms


class NaiveOptions(KernelOptions):
    """Options of the naive transform."""

    invocations: Literal["one-per-group", "one-per-butterfly"] = parameter(
        "one-per-group", "One invocation for each group of butterflies (as published), or for each butterfly."
    )


class Naive(PlaneTransform):
    """A transform that moves lines to the back half in bit-reversed order and transforms them there."""

    summary = "Naive radix 2: a dispatch for the bit reversal, then one per stage, with one invocation per group."
    Options = NaiveOptions

    def __init__(self, fields: FieldStorage[Any], axis: int, options: NaiveOptions, scale: float) -> None:
        super().__init__(fields, axis, options, scale)
        self.per_group = options.invocations == "one-per-group"
        self.most = limits(fields.ctx).loop  # most butterflies of a loop
        self._reversal = self.compile("fft/naive.comp", REVERSAL=1, PER_GROUP=0, WRITES_FRONT=0, SCALED=0)
        self._stage = self.compile(
            "fft/naive.comp", REVERSAL=0, PER_GROUP=int(self.per_group), MOST=self.most, WRITES_FRONT=1
        )

    @property
    def dispatches(self) -> int:
        return 1 + sum(len(self._parts(half_span)) for half_span in self._half_spans())

    @property
    def bytes_moved(self) -> int:
        return 2 * self.fields.bytes * (1 + self.log2_size)

    def _half_spans(self) -> list[int]:
        return [1 << number for number in range(self.log2_size)]

    def _parts(self, half_span: int) -> range:
        """Return the first butterfly of each dispatch of a stage."""
        return range(0, half_span if self.per_group else 1, self.most)

    def run(self, inverse: bool) -> None:
        self.set(self._reversal, inverse)
        self.step(self._reversal, self.size)
        butterflies = self.size // 2
        for half_span in self._half_spans():
            scale = self.scale if half_span == butterflies else 1.0
            self.set(self._stage, inverse, half_span=half_span, scale=scale)
            parts = self._parts(half_span)
            for first in parts:
                set_uniforms(self._stage, {"first": first})
                self.step(self._stage, butterflies // half_span if self.per_group else butterflies, in_place=True)
                if len(parts) > 1:
                    self.ctx.finish()  # NVIDIA's driver ends work of some 15 s that was submitted at once
