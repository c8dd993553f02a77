"""Tiles: the squares of sea that repeat, one for each cascade, and the band of wave numbers that each one carries.

Sides and band edges do not depend on the resolution, so that the sea does not change with it; only where the smallest
tile ends does. Knows nothing of spectra but the peak wavelength that decides how large the largest tile is.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from ocean.waves.dispersion import Array, wavenumber
from ocean.waves.systems import WaveSystem

SMALLEST_LARGEST = 256.0
"""Side [m] of the lowest rung of the ladder on which the largest tile stands; each rung doubles it."""

PEAKS_PER_TILE = 8
"""The largest tile holds at least this many of the longest peak wavelength: less, and one draw is not a fair sample."""

SIDE_RATIO = 6 + 2 * math.sqrt(3)
"""Ratio of successive sides: irrational, so that tiles never line up, and small enough to leave no gap at N >= 114."""

EDGE = 6
"""Where a cascade begins, in wave numbers of its own tile: below, its lattice is too coarse to look random.

The circle |n| <= 6 holds 113 wave vectors and has the area 113.1. So this tile and the next larger one, which carries
what lies within, share the waves without loss; with its four vectors on the circle they would carry 4 % of it twice.
"""

GOLDEN = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True)
class Tile:
    """A square of `side` [m], turned by `rotation` [rad], with the waves of low < k < high [rad/m].

    With `blended` the sea is made of moved copies of it, so that it does not repeat (`ocean.waves.copies`).

    The rotation R takes tile axes to world axes, `R = ((cos, -sin), (sin, cos))` on (x, z). The lattice's wave vectors
    are R k, and a world point is looked up at `R^T x / side`.
    """

    side: float
    rotation: float
    low: float
    high: float
    blended: bool = False

    @property
    def dk(self) -> float:
        """Spacing [rad/m] of the wave vectors."""
        return 2 * math.pi / self.side

    @property
    def blurred(self) -> float:
        """Half the length [m] of the longest waves: means over squares of that side, as far apart, or of a larger one
        show none of them as it is. A first tile has no longest ones."""
        return math.pi / self.low if self.low > 0 else math.inf

    def cutoff(self, size: int) -> float:
        """Return the wave number [rad/m] below which all waves of the band are resolved by size texels a side."""
        return min(self.high, self.dk * size / 2)

    def to_world(self, x: ArrayLike, z: ArrayLike) -> tuple[Array, Array]:
        """R (x, z): a vector in tile axes, turned to world axes."""
        return _turn(x, z, self.rotation)

    def to_tile(self, x: ArrayLike, z: ArrayLike) -> tuple[Array, Array]:
        """R^T (x, z): a vector in world axes, turned to tile axes."""
        return _turn(x, z, -self.rotation)


def _turn(x: ArrayLike, z: ArrayLike, angle: float) -> tuple[Array, Array]:
    x, z = np.asarray(x, np.float64), np.asarray(z, np.float64)
    cos, sin = math.cos(angle), math.sin(angle)
    return cos * x - sin * z, sin * x + cos * z


def peak_wavelength(system: WaveSystem) -> float:
    """Length [m] of the waves at a system's peak, by its own dispersion; 0 where it is flat."""
    if system.is_flat:
        return 0.0
    return 2 * math.pi / float(wavenumber(system.peak_frequency, system.depth, system.dispersion))


def make_tiles(count: int, longest_peak_wavelength: float) -> tuple[Tile, ...]:
    """Return the tiles of `count` cascades, largest first, for a sea whose longest peak wavelength [m] is given.

    The largest side stands on a ladder, so that a slowly growing wind leaves the wave vectors where they are, and the
    others follow by the ratio. Each band but the first begins at six wave numbers of its own tile, where the one before
    ends. The rotations spread over a quarter turn, after which a square lattice is the same, by the golden ratio.
    """
    rungs = math.log2(max(PEAKS_PER_TILE * longest_peak_wavelength / SMALLEST_LARGEST, 1.0))
    sides = [SMALLEST_LARGEST * 2 ** math.ceil(rungs) / SIDE_RATIO**i for i in range(count)]
    edges = [0.0, *(EDGE * (2 * math.pi / side) for side in sides[1:]), math.inf]
    rotations = [i * GOLDEN % 1 * math.pi / 2 for i in range(count)]
    return tuple(
        Tile(side, rotation, low, high)
        for side, rotation, (low, high) in zip(sides, rotations, pairwise(edges), strict=True)
    )


def gaps(tiles: Sequence[Tile], size: int) -> list[tuple[float, float]]:
    """Return ranges (from, to) of wave numbers [rad/m] that no cascade carries at this size.

    `statistics.gap_share` weighs them. None for size >= 114. What lies beyond the smallest tile is no gap but the end.
    """
    return [(tile.cutoff(size), tile.high) for tile in tiles[:-1] if tile.cutoff(size) < tile.high]
