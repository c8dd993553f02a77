"""Export as NumPy archives: a file for each frame."""

from pathlib import Path
from typing import Any

import numpy as np

from ocean import __version__
from ocean.export.formats import Format
from ocean.export.frame_sources import Snapshot
from ocean.settings import to_toml


class NumpyFormat(Format):
    """NumPy archives, from which `numpy.load` gives each array by its name.

    Arrays of the cascades are (cascade, z, x), with `side` [m] and `rotation` [rad] of the tiles. Arrays of the patch
    are (z, x); their names begin with `patch_`, and `patch_x` and `patch_z` [m] are their axes.
    """

    def names(self, index: int) -> list[str]:
        return [f"frame.{index:06d}.npz"]

    def write(self, frame: Snapshot, aside: Path) -> None:
        plan = self.plan
        arrays: dict[str, Any] = {name: frame.cascades[name] for name in plan.cascade_fields}
        if plan.cascade_fields:
            arrays |= {"side": [tile.side for tile in plan.tiles], "rotation": [tile.rotation for tile in plan.tiles]}
        if plan.patch is not None:
            arrays |= {f"patch_{name}": frame.patch[name] for name in plan.patch_fields}
            arrays["patch_x"], arrays["patch_z"] = plan.patch.axes
        arrays |= {"time": frame.time, "choppiness": plan.settings.sea.choppiness}
        arrays |= {"config": to_toml(plan.settings), "software": f"ocean {__version__}"}
        np.savez(aside / self.names(frame.index)[0], **arrays)
