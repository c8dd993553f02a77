"""The textures of a frame for engines, and the sidecar `maps.json` that says how to read them.

Each cascade is a tile that repeats over its side. All maps lie over still water, so that one texture coordinate reads
all of them: displacement (x, y, z) in metres with choppiness and the cascade's own second-order crests, the unit normal
(x, y, z), and foam from 0 to 1.
"""

import json
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ocean import __version__
from ocean.export.formats import Format
from ocean.export.frames import Floats, Frame
from ocean.export.plan import Plan
from ocean.settings import to_toml
from ocean.waves import second_order, twin
from ocean.waves.second_order import lift, lift_rate

SIDECAR = "maps.json"
CHANNELS = {"displacement": ("x", "y", "z"), "normal": ("x", "y", "z"), "foam": ("foam",)}
UNITS = {"displacement": "m", "normal": "1", "foam": "1"}
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
        return len(CHANNELS[self.map])


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
        """The textures of a frame, in the order of their files."""
        return [Texture(name, cascade) for name in self.plan.cascade_maps for cascade in range(len(self.plan.tiles))]

    def common(self) -> list[str]:
        return [SIDECAR]

    def names(self, index: int) -> list[str]:
        return [self.name(texture, index) for texture in self.textures]

    def name(self, texture: Texture, index: int) -> str:
        """Return the name of a texture's file in a frame."""
        return f"{texture.name}.{index:06d}.{self.suffix}"

    def prepare(self, aside: Path) -> None:
        (aside / SIDECAR).write_text(json.dumps(self.sidecar(), indent=2) + "\n", encoding="utf-8")

    def write(self, frame: Frame, aside: Path) -> None:
        for texture, values in self.values(frame):
            self.save(aside / self.name(texture, frame.index), texture, values)

    @abstractmethod
    def save(self, path: Path, texture: Texture, values: Floats) -> None:
        """Write the values of a texture, (N, N, channels)."""

    @abstractmethod
    def description(self, texture: Texture) -> dict[str, Any]:
        """Return what the sidecar says of a texture: its type, `scale` and `offset`, and files that hold all frames."""

    def values(self, frame: Frame) -> Iterator[tuple[Texture, Floats]]:
        """Yield the textures of a frame with their values, float32 (N, N, channels)."""
        c = self.plan.settings.sea.choppiness
        for texture in self.textures:
            at = {name: array[texture.cascade] for name, array in frame.cascades.items()}
            lifts = self._lifts[texture.cascade : texture.cascade + 1]
            waves = [np.stack([at[name] for name in ("height", "dx", "dz")])] if texture.map != "foam" else []
            if texture.map == "displacement":
                values = np.stack([c * at["dx"], at["height"] + c * lift(lifts, waves), c * at["dz"]], -1)
            elif texture.map == "normal":
                along_x, along_z = ("slope_x", "dxx", "dxz"), ("slope_z", "dxz", "dzz")
                slopes = (
                    at[rates[0]] + c * lift_rate(lifts, waves, [np.stack([at[name] for name in rates])])
                    for rates in (along_x, along_z)
                )
                values = twin.normal(next(slopes), next(slopes), at["dxx"], at["dzz"], at["dxz"], c)
            else:
                values = at["foam"][..., None]
            yield texture, np.ascontiguousarray(values, np.float32)

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
                    "channels": CHANNELS[texture.map],
                    "unit": UNITS[texture.map],
                    "frames": f"{texture.name}.%06d.{self.suffix}",
                    **self.description(texture),
                }
                for texture in self.textures
            ],
            "config": to_toml(plan.settings),
        }
