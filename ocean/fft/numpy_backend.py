"""The CPU baseline: read back, transform with numpy, upload."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.common.parameters import Parameters
from ocean.fft.contract import AxisTransform
from ocean.fft.stages import Memory, Stage, moves, whole
from ocean.gpu.context import Limits


class NumpyTransform(AxisTransform[Parameters]):
    """A transform by numpy.fft in the storage's precision."""

    summary = "numpy.fft on the CPU, with read back and upload: the baseline."
    DOUBLE = True

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        return None if size > 0 else "needs at least one element"

    def stages(self) -> Iterator[Stage]:
        yield Stage(moves("read back", self.size, lambda place: None), Memory.HOST)
        yield Stage(whole("numpy.fft", self.size), Memory.HOST)
        yield Stage(moves("upload", self.size, lambda place: None), Memory.FRONT)

    def run(self, inverse: bool) -> None:
        self.fields.write(numpy_transform(self.fields.read(), (self.axis,), inverse) * self.scale)


def numpy_transform(fields: NDArray[Any], axes: Sequence[int], inverse: bool) -> NDArray[Any]:
    """Return the transform of fields (fields, height, width) along axes, ROWS or COLUMNS, without a scale."""
    along = [-1 - axis for axis in axes]
    return np.fft.ifftn(fields, axes=along, norm="forward") if inverse else np.fft.fftn(fields, axes=along)
