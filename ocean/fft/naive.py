"""The direct translation of a sequential FFT for the GPU: a dispatch for the bit reversal, then one for each stage.

Rao, "Implementation of Fast Fourier Transform" (NYU 2019), section IV, where it stayed slower than the CPU.
"""

from typing import Any, Literal, cast

from ocean.common.parameters import Parameters, parameter
from ocean.fft.kernels import KernelOptions, PlaneTransform
from ocean.fft.storage import FieldStorage
from ocean.gpu.context import Limits


class NaiveOptions(KernelOptions):
    """Options of the naive transform."""

    invocations: Literal["one-per-group", "one-per-butterfly"] = parameter(
        "one-per-group", "One invocation for each group of butterflies (as published), or for each butterfly."
    )


class Naive(PlaneTransform):
    """A transform that moves lines to the back half in bit-reversed order and transforms them there."""

    summary = "Naive radix 2: a dispatch for the bit reversal, then one a stage, with one invocation a group."
    Options = NaiveOptions

    def __init__(self, fields: FieldStorage[Any], axis: int, options: NaiveOptions, scale: float) -> None:
        super().__init__(fields, axis, options, scale)
        self.per_group = options.invocations == "one-per-group"
        self._reversal = self.compile("fft/naive.comp", REVERSAL=1, PER_GROUP=0, WRITES_FRONT=0, SCALED=0)
        self._stage = self.compile("fft/naive.comp", REVERSAL=0, PER_GROUP=int(self.per_group), WRITES_FRONT=1)

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        if cast(NaiveOptions, options).invocations == "one-per-group" and size > limits.loop:
            return f"has to loop over {size // 2} butterflies at {size}; it takes sizes up to {limits.loop} here"
        return super().obstacle(limits, size, options)

    @property
    def dispatches(self) -> int:
        return 1 + self.log2_size

    def run(self, inverse: bool) -> None:
        self.set(self._reversal, inverse)
        self.step(self._reversal, self.size)
        for half_span in (1 << number for number in range(self.log2_size)):
            butterflies = self.size // 2
            scale = self.scale if half_span == butterflies else 1.0
            self.set(self._stage, inverse, half_span=half_span, scale=scale)
            self.step(self._stage, butterflies // half_span if self.per_group else butterflies, in_place=True)
