"""The CPU baseline: read back, transform with numpy, upload."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
        self.fields.write(numpy_transform(self.fields.read(), (self.axis,), inverse) * self.scale)


def numpy_transform(fields: NDArray[Any], axes: Sequence[int], inverse: bool) -> NDArray[Any]:
    """Return the transform of fields (fields, height, width) along axes, ROWS or COLUMNS, without a scale."""
    along = [-1 - axis for axis in axes]
    return np.fft.ifftn(fields, axes=along, norm="forward") if inverse else np.fft.fftn(fields, axes=along)
