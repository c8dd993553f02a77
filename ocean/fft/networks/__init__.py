"""Networks of butterflies for each backend's transform of a row: for drawings, traces, and tests of both.

The indices equal the shaders', step by step. The division of a line, the order of digits and the chirp come from
the backends.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ocean.fft.backends import name_of
from ocean.fft.bluestein import LongBluestein
from ocean.fft.contract import AxisTransform
from ocean.fft.networks import mixed, textbook
from ocean.fft.networks.network import Factor, Memory, Network, NetworkStep, Node
from ocean.fft.options import BluesteinOptions

__all__ = ["NETWORKS", "Factor", "Memory", "Network", "NetworkStep", "Node", "network_of"]

NETWORKS: Mapping[str, Callable[[int, Any], Network]] = {
    "cooley-tukey-stages": partial(textbook.cooley_tukey, dispatch_a_stage=True),
    "cooley-tukey": textbook.cooley_tukey,
    "stockham-radix2": partial(textbook.stockham_images, radix=2),
    "stockham-radix4": partial(textbook.stockham_images, radix=4),
    "stockham-shared": textbook.stockham_shared,
    "stockham-registers": mixed.stockham_registers,
    "stockham-global": mixed.stockham_global,
    "four-step": mixed.four_step,
    "dft": textbook.direct_sum,
    "natural-order": textbook.natural_order,
    "naive": textbook.naive,
    "digit-reversal": mixed.digit_reversal,
    "split-radix": textbook.split_radix,
    "bluestein": mixed.bluestein,
    "numpy": textbook.reference,
}
"""Functions of size and options that return the network of one row, by name of the backend."""


def network_of(transform: AxisTransform) -> Network:
    if isinstance(transform, LongBluestein):
        return mixed.bluestein(transform.size, BluesteinOptions(), transform.inner.dispatches)
    return NETWORKS[name_of(transform.backend)](transform.size, transform.options)
