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
        self._fields = line_transform(self.layers.read(), 2, inverse)

    def columns(self, inverse: bool) -> None:
        if self._fields is None:
            raise RuntimeError("columns run after rows")
        self.layers.write(line_transform(self._fields, 1, inverse) * np.float32(self.scale))
        self._fields = None


def line_transform(fields: ComplexArray, axis: int, inverse: bool) -> ComplexArray:
    """Unnormalised transform of complex64 fields along one axis, in single precision."""
    result = np.fft.ifft(fields, axis=axis, norm="forward") if inverse else np.fft.fft(fields, axis=axis)
    return result.astype(np.complex64, copy=False)
