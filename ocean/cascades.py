"""The uniform block that says which tiles are alive, where an origin lies on each, and what time it is there.

`shaders/common/cascades.glsl` declares it. Whoever reads the maps around an origin of its own has a block of its own.
"""

from collections.abc import Sequence

import moderngl
import numpy as np

from ocean.gpu.bindings import Block
from ocean.spectrum import MAX_CASCADES, CascadeKey
from ocean.waves.copies import lattice
from ocean.waves.dispersion import clock_ticks

DEEP = 1e6  # m; stands for bottomless water in the shaders

_CASCADE = np.dtype(
    [
        ("rotation", "f4", 2),
        ("offset", "f4", 2),
        ("side", "f4"),
        ("depth", "f4"),
        ("foam_lod", "f4"),
        ("ticks", "u4"),
        ("lattice_point", "i4", 2),
        ("lattice_offset", "f4", 2),
        ("copies", "i4"),
        ("pad", "i4", 3),
    ]
)
_LAYOUT = np.dtype(
    [("cascades", _CASCADE, MAX_CASCADES), ("count", "i4"), ("size", "i4"), ("choppiness", "f4"), ("blend", "f4")]
)


class CascadeBlock:
    """The block on the GPU."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._buffer = ctx.buffer(reserve=_LAYOUT.itemsize)

    def write(
        self,
        keys: Sequence[CascadeKey],
        time: float,
        origin: tuple[float, float],
        choppiness: float,
        blend: float = 1.0,
    ) -> None:
        """Say what is alive at a time [s], around an origin (world x, z) [m] that positions will be relative to, and
        bind the block."""
        block = np.zeros((), _LAYOUT)
        for entry, key in zip(block["cascades"], keys, strict=False):
            tile = key.tile
            entry["rotation"] = np.cos(tile.rotation), np.sin(tile.rotation)
            entry["offset"] = np.mod(np.divide(tile.to_tile(*origin), tile.side), 1.0)
            entry["lattice_point"] = point = np.floor(lattice(tile, *origin))
            entry["lattice_offset"] = lattice(tile, *origin) - point
            entry["copies"] = 3 if tile.blended else 1
            entry["side"] = tile.side
            entry["depth"] = DEEP if key.dispersion == "deep" else key.depth
            entry["foam_lod"] = key.foam_lod
            entry["ticks"] = clock_ticks(time, key.period)
        block["count"] = len(keys)
        block["size"] = keys[0].size
        block["choppiness"] = choppiness
        block["blend"] = blend
        self._buffer.write(block.tobytes())
        self.bind()

    def bind(self) -> None:
        self._buffer.bind_to_uniform_block(Block.CASCADES)

    def release(self) -> None:
        self._buffer.release()
