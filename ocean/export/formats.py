"""The interface of an export format: the names of a frame's files, and their writing.

Equal frames give equal bytes, on every machine and every time.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ocean.export.frame_sources import Floats, Snapshot
from ocean.export.plan import Plan


class Format(ABC):
    """One format, for one plan. File names are relative to the export's folder, with `/` between their parts."""

    threads = 0
    """Threads that may write frames while the next frame is computed; with 0 the computing thread writes."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def common(self) -> list[str]:
        """Return the files that belong to no frame and exist from the start; `prepare` makes them."""
        return []

    def prepare(self, aside: Path) -> None:
        """Prepare `aside` for frames."""
        return

    @abstractmethod
    def names(self, index: int) -> list[str]:
        """Return the files of a frame."""

    @abstractmethod
    def write(self, frame: Snapshot, aside: Path) -> None:
        """Write the files of a frame into `aside`, which `prepare` has prepared."""

    def final(self) -> list[str]:
        """Return the files made of all frames; `finish` makes them."""
        return []

    def finish(self, path: Path, aside: Path, advance: Callable[[], None]) -> None:
        """Make the final files in `aside` of the frames in `path`, and call `advance` after each frame."""
        return


class PatchFormat(Format):
    """A format of the patch's points. `squares` (n, 4) holds the indices of the corners of each square of their grid,
    counterclockwise from above."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        assert plan.patch is not None  # the plan has refused it
        self._x, self._z = plan.patch.points
        point = np.arange(self._x.size, dtype=np.int32).reshape(self._x.shape)
        around = point[:-1, :-1], point[1:, :-1], point[1:, 1:], point[:-1, 1:]
        self.squares = np.stack([corner.ravel() for corner in around], -1)

    def surface(self, frame: Snapshot) -> tuple[Floats, Floats]:
        """Return the points [m] and normals of the surface, float32 (points, 3)."""
        at = self._x, frame.patch["height"], self._z
        normals = [frame.patch[f"normal_{axis}"] for axis in "xyz"]
        points, directions = (np.stack(each, -1).astype(np.float32).reshape(-1, 3) for each in (at, normals))
        return points, directions
