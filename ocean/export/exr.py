"""Export as OpenEXR: a file for each frame and cascade, and one for the patch."""

from pathlib import Path
from typing import Any

import numpy as np
import OpenEXR

from ocean import __version__
from ocean.common.files import system_errors
from ocean.export.formats import Format
from ocean.export.frame_sources import Floats, Snapshot
from ocean.settings import to_toml

CHANNELS = {"dx": "R", "height": "G", "dz": "B"}
"""Channel names of a cascade's displacement: as R, G and B, so that other programs show x, y and z as a picture."""

TILE_COMMENT = (
    "A tile of the sea, repeating over side [m], turned from x to z by rotation [rad]; the first texel lies on its "
    "corner, columns run along its x, rows along its z. R, G, B: displacement [m] along world x (east), y (up) and z "
    "(south); R and B, dxx, dzz and dxz are to be multiplied by choppiness."
)
PATCH_COMMENT = "A patch of the world; columns run east from x [m], rows south from z [m], spacing [m] apart."


class ExrFormat(Format):
    """OpenEXR files with scan lines in ZIP compression, of 32 or 16 bits."""

    def names(self, index: int) -> list[str]:
        cascades = len(self.plan.tiles) if self.plan.cascade_fields else 0
        names = [f"cascade{i}.{index:06d}.exr" for i in range(cascades)]
        return names + ([f"patch.{index:06d}.exr"] if self.plan.patch_fields else [])

    def write(self, frame: Snapshot, aside: Path) -> None:
        if self.plan.cascade_fields:
            for i, tile in enumerate(self.plan.tiles):
                channels = {CHANNELS.get(name, name): frame.cascades[name][i] for name in self.plan.cascade_fields}
                facts = {"cascade": i, "side": np.array([tile.side]), "rotation": np.array([tile.rotation])}
                self._save(aside / f"cascade{i}.{frame.index:06d}.exr", frame, channels, TILE_COMMENT, facts)
        if self.plan.patch_fields and self.plan.patch is not None:
            x, z = self.plan.patch.axes
            channels = {name: frame.patch[name] for name in self.plan.patch_fields}
            facts = {"x": x[:1], "z": z[:1], "spacing": np.array([self.plan.patch.spacing])}
            self._save(aside / f"patch.{frame.index:06d}.exr", frame, channels, PATCH_COMMENT, facts)

    def _save(
        self, path: Path, frame: Snapshot, channels: dict[str, Floats], comment: str, facts: dict[str, Any]
    ) -> None:
        """Write one file. Arrays of one float64 become attributes of double precision."""
        header = {
            "compression": OpenEXR.ZIP_COMPRESSION,
            "type": OpenEXR.scanlineimage,
            "comments": comment,
            "software": f"ocean {__version__}",
            "config": to_toml(self.plan.settings),
            "frame": frame.index,
            "time": np.array([frame.time]),
            "choppiness": np.array([self.plan.settings.sea.choppiness]),
            **facts,
        }
        dtype = np.float16 if self.plan.half else np.float32
        pixels = {name: np.ascontiguousarray(array, dtype) for name, array in channels.items()}
        with system_errors(path.parent):
            OpenEXR.File(header, pixels).write(str(path))
