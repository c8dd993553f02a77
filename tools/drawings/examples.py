"""Examples for drawings: a size and options for each backend."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ocean.fft.networks import NETWORKS, Network
from ocean.fft.options import validated_options


@dataclass(frozen=True)
class Example:
    """One drawing."""

    backend: str
    size: int = 8
    options: Mapping[str, Any] = field(default_factory=dict)

    def network(self, size: int) -> Network:
        """Return the network of the same backend and options at another size."""
        return NETWORKS[self.backend](size, validated_options(self.backend, self.options))


EXAMPLES = {
    example.backend: example
    for example in (
        Example("cooley-tukey-stages"),
        Example("cooley-tukey"),
        Example("stockham-radix2"),
        Example("stockham-radix4"),
        Example("stockham-shared"),
        Example("stockham-registers", options={"radix": 4}),
        Example("stockham-global", options={"radix": 4}),
        Example("four-step"),
        Example("dft"),
        Example("natural-order"),
        Example("naive"),
        Example("digit-reversal"),
        Example("split-radix"),
        Example("bluestein", size=3),
        Example("numpy"),
    )
}
