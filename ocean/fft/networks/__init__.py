"""Networks of butterflies for each backend's transform of a row: for drawings, traces, and tests of both.

The indices are those of the shaders, step by step. The division of a line, the order of digits and the chirp come from
the backends.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ocean.common.parameters import Parameters
from ocean.fft.bluestein import Bluestein, BluesteinOptions, LongBluestein
from ocean.fft.contract import AxisTransform, Backend
from ocean.fft.cooley_tukey import CooleyTukey, CooleyTukeyStages, NaturalOrder
from ocean.fft.dft import DirectSum
from ocean.fft.digit_reversal import DigitReversal
from ocean.fft.four_step import FourStep
from ocean.fft.naive import Naive
from ocean.fft.networks import mixed, textbook
from ocean.fft.networks.network import Factor, Memory, Network, Node, Step
from ocean.fft.reference import NumpyTransform
from ocean.fft.split_radix import SplitRadix
from ocean.fft.stockham import StockhamRadix2, StockhamRadix4, StockhamShared
from ocean.fft.stockham_global import StockhamGlobal
from ocean.fft.stockham_registers import StockhamRegisters

__all__ = ["NETWORKS", "Factor", "Memory", "Network", "Node", "Step", "network", "network_of"]

NETWORKS: Mapping[Backend, Callable[[int, Any], Network]] = {
    CooleyTukeyStages: partial(textbook.cooley_tukey, dispatch_a_stage=True),
    CooleyTukey: textbook.cooley_tukey,
    StockhamRadix2: partial(textbook.stockham_images, radix=2),
    StockhamRadix4: partial(textbook.stockham_images, radix=4),
    StockhamShared: textbook.stockham_shared,
    StockhamRegisters: mixed.stockham_registers,
    StockhamGlobal: mixed.stockham_global,
    FourStep: mixed.four_step,
    DirectSum: textbook.direct_sum,
    NaturalOrder: textbook.natural_order,
    Naive: textbook.naive,
    DigitReversal: mixed.digit_reversal,
    SplitRadix: textbook.split_radix,
    Bluestein: mixed.bluestein,
    NumpyTransform: textbook.reference,
}
"""Functions of size and options that return the network of one row, by class of the transform."""


def network(backend: Backend, size: int, options: Parameters) -> Network:
    return NETWORKS[backend](size, options)


def network_of(transform: AxisTransform) -> Network:
    if isinstance(transform, LongBluestein):
        return mixed.bluestein(transform.size, BluesteinOptions(), transform.inner.dispatches)
    return network(type(transform), transform.size, transform.options)
