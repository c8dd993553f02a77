"""The CPU baseline: read back, transform with numpy, upload."""

import numpy as np

from ocean.common.parameters import Parameters
from ocean.fft.contract import AxisTransform
from ocean.gpu.context import Limits


class NumpyTransform(AxisTransform):
    """A transform by numpy.fft in the storage's precision."""

    summary = "numpy.fft on the CPU, with read back and upload: the baseline."
    DOUBLE = True

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        return None if size > 0 else "needs at least one element"

    @property
    def dispatches(self) -> int:
        return 0

    def run(self, inverse: bool) -> None:
        fields, axis = self.fields.read(), -1 - self.axis
        lines = np.fft.ifft(fields, axis=axis, norm="forward") if inverse else np.fft.fft(fields, axis=axis)
        self.fields.write(lines * self.scale)
