"""The CPU reference: read back, transform with numpy, upload. The baseline a person understands."""

import moderngl
import numpy as np

from ocean.fft.contract import ComplexArray, FFTPlan, FieldLayers
from ocean.gpu.context import Limits
from ocean.parameters import Parameters


class NumpyPlan(FFTPlan):
    """numpy.fft in single precision; the rows pass reads back, the columns pass uploads."""

    summary = "numpy on the CPU, with the read back and the upload: what the GPU saves."

    def __init__(self, ctx: moderngl.Context, layers: FieldLayers, options: Parameters, scale: float) -> None:
        super().__init__(ctx, layers, options, scale)
        self._fields: ComplexArray | None = None

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        return None if size > 0 else "needs at least one element"

    @property
    def axis_dispatches(self) -> int:
        return 0

    @property
    def axis_bytes(self) -> int:
        return self.layers.bytes

    def rows(self, inverse: bool) -> None:
        transform = np.fft.ifft if inverse else np.fft.fft
        norm = "forward" if inverse else "backward"  # both leave the sum as it is
        self._fields = transform(self.layers.read(), axis=2, norm=norm)

    def columns(self, inverse: bool) -> None:
        if self._fields is None:
            raise RuntimeError("columns run after rows")
        transform = np.fft.ifft if inverse else np.fft.fft
        norm = "forward" if inverse else "backward"
        fields = transform(self._fields, axis=1, norm=norm)
        self._fields = None
        self.layers.write(fields * np.float32(self.scale))
