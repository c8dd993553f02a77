"""The foam map of a patch: with the patch's spacing, on still water, read at the rest places of the points' water.

The GPU advances a `FoamMap` of one level; the processor runs `fields.foam_step`.
"""

import math
from abc import ABC, abstractmethod
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ocean.export.plan import Patch
from ocean.gpu.passes import needed, run_passes
from ocean.sea.base import BaseSea
from ocean.sea.blend import make_spectrum
from ocean.sea.foam import FoamMap
from ocean.sea.host import HostSea
from ocean.sea.sea import Sea
from ocean.settings import Settings
from ocean.waves.amplitudes import wave_vectors
from ocean.waves.dispersion import Array, orbit_ratio
from ocean.waves.fields import Complex, foam_step, jacobian, unpack
from ocean.waves.tiles import Tile, blend
from ocean.waves.whitecaps import BIRTH_WIDTH, Births, spilled

MARGIN = 6
"""Margin of the map around the patch, in standard deviations of the horizontal displacement."""


def displacement_deviations(settings: Settings) -> list[float]:
    """Return the standard deviation [m] of each cascade's displacement, on the axis where it is largest, in this
    draw."""
    deviations = []
    for waves in make_spectrum(settings).waves:
        k = np.hypot(*wave_vectors(waves.tile, len(waves.h0)))
        orbits = orbit_ratio(np.where(k > 0, k, 1.0), waves.depth, waves.dispersion)
        stretched = np.maximum(settings.sea.choppiness * orbits, 1.0)
        deviations.append(math.sqrt(2 * float(np.sum(np.abs(waves.h0 * stretched) ** 2))))
    return deviations


class PatchFoam(ABC):
    """A square map of `side` texels around the patch; texels are as wide as the patch's spacing."""

    def __init__(self, settings: Settings, patch: Patch, side: int) -> None:
        self.settings, self.patch, self.side = settings, patch, side
        self.first = np.floor(np.divide(patch.centre, patch.spacing)).astype(np.int64) - side // 2

    @abstractmethod
    def reset(self) -> None:
        """Clear the map."""

    @abstractmethod
    def advance(self, step: float) -> None:
        """Age the foam by a step [s], and add foam where the sea of the last update breaks."""

    @abstractmethod
    def read(self) -> Array:
        """Return the map, (side, side), indexed [z, x] from its first texel."""

    def at(self, still: Array) -> Array:
        """Return the foam, 0 to 1, of the water that rests at world (x, z) [m] (..., 2), interpolated linearly."""
        from scipy.ndimage import map_coordinates

        texel = np.clip(still / self.patch.spacing - 0.5 - self.first, 0, self.side - 1)
        coordinates = np.stack([texel[..., 1], texel[..., 0]])
        return np.asarray(map_coordinates(self.read(), coordinates, order=1, mode="nearest"))

    def at_rest(self) -> NDArray[np.float32]:
        """Return the foam, 0 to 1, of the water that rests at the patch's points, (rows, columns)."""
        return self.at(np.stack(self.patch.points, -1)).astype(np.float32)

    def release(self) -> None:
        """Release the GPU objects, if there are any."""
        return


def texels(settings: Settings, patch: Patch) -> int:
    """Return the texels along a side that cover the patch and its margin."""
    margin = MARGIN * math.hypot(*displacement_deviations(settings))
    return math.ceil((max(patch.width, patch.depth) + 2 * margin) / patch.spacing) + 2


class GpuFoam(PatchFoam):
    def __init__(self, sea: Sea, patch: Patch) -> None:
        side = max(16, 1 << (texels(sea.settings, patch) - 1).bit_length())  # sides of toroidal maps are powers of two
        super().__init__(sea.settings, patch, side)
        self.sea = sea
        self._map = FoamMap(sea.ctx, side, side * patch.spacing, levels=1)

    def reset(self) -> None:
        self._map.reset()

    def advance(self, step: float) -> None:
        births = Births.everywhere(self.sea.blend.breaking_texel, 1, self.settings.sea.wind.direction)
        self._map.prepare(self.patch.centre, step, self.sea.foam_threshold, self.settings.foam.decay, births)
        self.sea.bind()
        run_passes(self.sea.ctx, needed([self._map.advance_pass(self.sea.filtered)]))

    def read(self) -> Array:
        foam = np.frombuffer(self._map.texture.read(), "f4").reshape(self.side, self.side)
        return np.roll(foam, -self.first[::-1] % self.side, (0, 1))

    def release(self) -> None:
        self._map.release()


class HostFoam(PatchFoam):
    def __init__(self, sea: HostSea, patch: Patch) -> None:
        super().__init__(sea.settings, patch, texels(sea.settings, patch))
        self.sea = sea
        x, z = ((first + np.arange(self.side) + 0.5) * patch.spacing for first in self.first)
        ahead = spilled(sea.spectrum.breaking_texel, sea.settings.sea.wind.direction)
        self._x, self._z = np.meshgrid(x - ahead[0], z - ahead[1])  # birthplace of each texel's foam
        self.reset()

    def reset(self) -> None:
        self._foam = np.zeros((self.side, self.side))

    def advance(self, step: float) -> None:
        sums = np.zeros((4, self.side, self.side), np.complex128)
        for tile, maps in self.sea.breaking_maps():
            sums += blend(tile, self._x, self._z, partial(self._linear, maps, tile))
        at, settings = unpack(sums), self.settings
        folding = jacobian(at["dxx"], at["dzz"], at["dxz"], settings.sea.choppiness)
        threshold, decay = self.sea.foam_threshold, settings.foam.decay
        self._foam = foam_step(self._foam, folding, threshold, BIRTH_WIDTH, step, decay)

    def _linear(self, maps: Complex, tile: Tile, x: Array, z: Array) -> Complex:
        """Return a mip level of maps at world positions [m], interpolated linearly."""
        from scipy.ndimage import map_coordinates

        scale = maps.shape[-1] / tile.side
        half = 0.5 * (maps.shape[-1] / self.settings.fft.size - 1)  # the centre of a texel depends on the level
        u, v = (axis * scale + half for axis in tile.to_tile(x, z))
        return np.stack([map_coordinates(each, [v, u], order=1, mode="grid-wrap") for each in maps])

    def read(self) -> Array:
        return self._foam


def make_patch_foam(sea: BaseSea, patch: Patch) -> PatchFoam:
    """Return the foam map of a patch, on the device of the sea."""
    if isinstance(sea, Sea):
        return GpuFoam(sea, patch)
    if isinstance(sea, HostSea):
        return HostFoam(sea, patch)
    raise TypeError(f"no foam map for {type(sea).__name__}")
