"""The uniform block of the living tiles: the position of the origin and the time on each; see `common/cascades.glsl`.

Each reader of the maps with its own origin has its own block.
"""

from collections.abc import Sequence

import moderngl
import numpy as np

from ocean.gpu.bindings import Block
from ocean.gpu.uniforms import UniformBlock, block_layout
from ocean.sea.blend import MAX_CASCADES, Blend, CascadeKey
from ocean.waves.copies import lattice
from ocean.waves.dispersion import Array, clock_ticks
from ocean.waves.tiles import Tile

LAYOUT = block_layout("common/cascades.glsl", "Cascades", MAX_CASCADES=MAX_CASCADES)


def place_matrix(tile: Tile) -> Array:
    """Return the matrix (4, 2) from a world position (x, z) [m] to coordinates on a tile, in sides, and on its lattice
    of copies."""
    axes = (1.0, 0.0), (0.0, 1.0)
    return np.transpose([np.hstack([np.divide(tile.to_tile(*axis), tile.side), lattice(tile, *axis)]) for axis in axes])


class CascadeBlock(UniformBlock):
    def __init__(self, ctx: moderngl.Context) -> None:
        super().__init__(ctx, "cascades", Block.CASCADES, LAYOUT.itemsize)
        self._keys: Sequence[CascadeKey] = ()
        self._data = np.zeros(1, LAYOUT)
        self._living = self._data["cascades"][0, :0]  # view of the living cascades' part of the data
        self._places = np.zeros((0, 4, 2))  # `place_matrix` per cascade
        self._sea: tuple[object, ...] = ()  # inputs of the data, except the time

    def update(self, keys: Sequence[CascadeKey], time: float, origin: tuple[float, float], blend: Blend) -> None:
        """Write the block for the living cascades of a blend, with their keys, at a time [s], and bind it.
        Positions are relative to `origin`, a world (x, z) [m]."""
        if keys is not self._keys:
            self._begin(keys)
        living, lifts = self._living, blend.lifts
        sea = origin, lifts, blend.choppiness, blend.progress
        if sea != self._sea:
            self._sea = sea
            places = self._places @ np.array(origin)
            whole = np.floor(places)
            part = places - whole
            living["offset"], living["lattice_offset"] = part[:, :2], part[:, 2:]
            living["lattice_point"] = whole[:, 2:]
            living["lift"] = lifts
            self._data["choppiness"], self._data["blend"] = blend.choppiness, blend.progress
        living["ticks"] = [clock_ticks(time, key.period) for key in keys]
        self.write(self._data.tobytes())
        self.bind()

    def _begin(self, keys: Sequence[CascadeKey]) -> None:
        """Write the values that change only with the living cascades."""
        self._keys, self._sea = keys, ()
        self._data = np.zeros(1, LAYOUT)
        self._living = self._data["cascades"][0, : len(keys)]
        self._places = np.array([place_matrix(key.tile) for key in keys])
        for entry, key in zip(self._living, keys, strict=True):
            entry["rotation"] = np.cos(key.tile.rotation), np.sin(key.tile.rotation)
            entry["side"] = key.tile.side
            entry["copies"] = 3 if key.tile.blended else 1
            entry["turn"] = 2 * np.pi / key.period
            entry["depth"] = key.finite_depth
        self._living["blurred"] = np.maximum.accumulate([key.tile.blurred for key in reversed(keys)])[::-1]
        self._data["cascade_count"], self._data["size"] = len(keys), keys[0].size
