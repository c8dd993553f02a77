"""The textures of a frame for engines, and the sidecar `maps.json` with their meaning.

Each cascade is a tile that repeats over its side. All maps lie over still water, so that one texture coordinate reads
all of them: displacement (x, y, z) in metres with choppiness and the cascade's own second-order crests, the unit normal
(x, y, z), and foam from 0 to 1.
"""

import json
from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ocean import __version__
from ocean.export.formats import Format
from ocean.export.frame_sources import Floats, Snapshot
from ocean.export.maps import TEXTURE_MAPS
from ocean.export.plan import Plan
from ocean.settings import to_toml
from ocean.waves import second_order

SIDECAR = "maps.json"
AXES = (
    "x is east, y is up, z is south. Columns run along the tile's x, rows along its z, from the first row down. The "
    "first texel lies on the tile's corner: a point of still water (x, z), turned by -rotation from x to z, has the "
    "texture coordinate (x, z) / side + 0.5 / texels."
)


@dataclass(frozen=True)
class Texture:
    """A map of one cascade, as a texture for each frame."""

    map: str
    cascade: int

    @property
    def name(self) -> str:
        return f"{self.map}{self.cascade}"

    @property
    def channels(self) -> int:
        return len(TEXTURE_MAPS[self.map].channels)


class TextureFormat(Format):
    """A file for each texture of each frame, and a sidecar."""

    suffix: str
    """Ending of a frame's files."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        sea = plan.settings.sea
        systems = sea.systems if sea.crests == "second-order" else ()
        self._lifts = second_order.lifts(systems, plan.tiles, plan.settings.fft.size)

    @property
    def textures(self) -> list[Texture]:
        return [Texture(name, cascade) for name in self.plan.cascade_maps for cascade in range(len(self.plan.tiles))]

    def common(self) -> list[str]:
        return [SIDECAR]

    def names(self, index: int) -> list[str]:
        return [self.name(texture, index) for texture in self.textures]

    def name(self, texture: Texture, index: int) -> str:
        return f"{texture.name}.{index:06d}.{self.suffix}"

    def prepare(self, aside: Path) -> None:
        (aside / SIDECAR).write_text(json.dumps(self.sidecar(), indent=2) + "\n", encoding="utf-8")

    def write(self, frame: Snapshot, aside: Path) -> None:
        for texture in self.textures:
            at = {name: array[texture.cascade] for name, array in frame.cascades.items()}
            lifts = self._lifts[texture.cascade : texture.cascade + 1]
            values = TEXTURE_MAPS[texture.map].values(at, lifts, self.plan.settings.sea.choppiness)
            self.save(aside / self.name(texture, frame.index), texture, np.ascontiguousarray(values, np.float32))

    @abstractmethod
    def save(self, path: Path, texture: Texture, values: Floats) -> None:
        """Write the values of a texture, float32 (N, N, channels)."""

    @abstractmethod
    def description(self, texture: Texture) -> dict[str, Any]:
        """Return the sidecar's entry of a texture: its type, `scale` and `offset`, and files of all frames."""

    def sidecar(self) -> dict[str, Any]:
        """Return the sidecar: times, tiles and textures. A value is offset + scale * stored."""
        plan = self.plan
        period = plan.settings.sea.loop_period
        return {
            "program": f"ocean {__version__}",
            "frames": plan.frames,
            "time_step": 1 / plan.fps,
            "start": plan.start,
            "loop": period or None,
            "closes": bool(period) and abs(plan.frames / plan.fps / period % 1) < 1e-9,
            "axes": AXES,
            "choppiness": {"value": plan.settings.sea.choppiness, "applied": True},
            "tiles": [
                {"cascade": i, "side": tile.side, "rotation": tile.rotation, "texels": plan.settings.fft.size}
                for i, tile in enumerate(plan.tiles)
            ],
            "textures": [
                {
                    "map": texture.map,
                    "cascade": texture.cascade,
                    "channels": TEXTURE_MAPS[texture.map].channels,
                    "unit": TEXTURE_MAPS[texture.map].unit,
                    "frames": f"{texture.name}.%06d.{self.suffix}",
                    **self.description(texture),
                }
                for texture in self.textures
            ],
            "config": to_toml(plan.settings),
        }
