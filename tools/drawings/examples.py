"""Examples for drawings: a size and options for each backend."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import moderngl

from ocean import fft
from ocean.fft.stages import DataFlow


@dataclass(frozen=True)
class Example:
    backend: str
    size: int = 8
    options: Mapping[str, Any] = field(default_factory=dict)

    def flow(self, ctx: moderngl.Context) -> DataFlow:
        """Return the data flow of a row. Lines of 8 are shorter than plans take, but every kernel compiles for them."""
        fields = fft.FieldLayers(ctx, (1, self.size), 1)
        options = fft.validated_options(self.backend, self.options)
        transform = fft.BACKENDS[self.backend].make(fields, fft.ROWS, options, 1.0)
        flow = transform.flow
        transform.release()
        fields.release()
        return flow


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
