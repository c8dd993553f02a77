"""Stockham transforms, decimation in frequency: natural order in and out, no bit reversal.

Mota, "High Performance Fourier Transforms on GPUs" (Minho 2022), sections 4.2, 4.3, 5.3.2 and 5.3.3; Govindaraju et
al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008) for the exchange in shared memory.
"""

from typing import Literal, cast

from ocean.common.parameters import Parameters, parameter
from ocean.fft.kernels import KernelOptions, LineTransform, PingPongTransform
from ocean.gpu.shaders import Define


class ButterflyOptions(KernelOptions):
    """Options of the kernels in which an invocation can do several butterflies per stage."""

    butterflies: Literal[1, 2, 4, 8] = parameter(1, "Butterflies that one invocation does in each stage.")


class StockhamRadix2(PingPongTransform):
    """A radix-2 transform that ping-pongs between images."""

    summary = "Radix-2 Stockham, all stages of an axis in one dispatch, ping-pong between images, no bit reversal."
    shader = "fft/stockham_radix2.comp"
    Options = ButterflyOptions
    RADIX = 2

    @classmethod
    def threads(cls, size: int, options: Parameters) -> int:
        return size // cls.RADIX // cast(ButterflyOptions, options).butterflies

    def extra_defines(self) -> dict[str, Define]:
        return {"BUTTERFLIES": cast(ButterflyOptions, self.options).butterflies}


class StockhamRadix4(StockhamRadix2):
    """A radix-4 transform with half the stages; an odd log2 of the size ends with one radix-2 stage."""

    summary = "Radix-4 Stockham: half the stages and traffic of radix 2; odd powers close with one radix-2 stage."
    shader = "fft/stockham_radix4.comp"
    RADIX = 4

    @classmethod
    def stages(cls, size: int) -> int:
        return size.bit_length() // 2  # half of log2, rounded up


class StockhamShared(LineTransform):
    """A radix-2 transform in shared memory: each axis reads and writes the images once."""

    summary = "Radix-2 Stockham in shared memory: each axis reads and writes the images once."
    shader = "fft/stockham_shared.comp"
    SHARED_BYTES = 16
    in_place = True
    LAYERED = True
