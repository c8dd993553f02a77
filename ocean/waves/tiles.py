"""Tiles: the squares of sea that repeat, one per cascade, with their bands of wave numbers; and tile copies.

Sides and bands are independent of the resolution, except for the end of the smallest tile's band. They depend on the
spectrum only through its peak wavelength. This sets the largest tile. A blended tile is drawn as copies, each shifted
at random, around the points of a triangular lattice, so that the sea does not repeat (Heitz and Neyret 2018). Weights
of copies vanish at their edges, and the squares of weights add up to 1, which keeps the variance.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.waves.dispersion import Array, wavenumber
from ocean.waves.systems import WaveSystem

SMALLEST_LARGEST = 256.0
"""Smallest side [m] of the largest tile; larger ones are doublings."""

PEAKS_PER_TILE = 8
"""Minimum side of the largest tile in longest peak wavelengths: with fewer, one draw is not a fair sample."""

SIDE_RATIO = 6 + 2 * math.sqrt(3)
"""Ratio of successive sides: irrational, so that tiles never align, and small enough for no gaps from N = 114 on."""

EDGE = 6
"""Start of a cascade's band, in wave numbers of its own tile: below, its lattice is too coarse to look random.

The circle |n| <= 6 has the area 113.1 and holds 113 wave vectors, including the four on it, so that this tile and the
next larger one, which carries the inside, share the waves without loss. With the four vectors in both bands, 4 % of
them would count twice.
"""

GOLDEN = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True)
class Tile:
    """A square of `side` [m], turned by `rotation` [rad], with the waves of low < k < high [rad/m], drawn as copies if
    `blended`.

    The rotation `R = ((cos, -sin), (sin, cos))` on (x, z) takes tile axes to world axes: wave vectors are R k, and a
    world point is looked up at `R^T x / side`.
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
        """Half the longest wave [m]: means over squares of this side or larger resolve none of the tile's waves.
        Infinite for the first tile."""
        return math.pi / self.low if self.low > 0 else math.inf

    def cutoff(self, size: int) -> float:
        """Return the wave number [rad/m] below which all waves of the band are resolved by size texels per side."""
        return min(self.high, self.dk * size / 2)

    def to_world(self, x: ArrayLike, z: ArrayLike) -> tuple[Array, Array]:
        """Return R (x, z): a vector in tile axes, turned to world axes."""
        return _turn(x, z, self.rotation)

    def to_tile(self, x: ArrayLike, z: ArrayLike) -> tuple[Array, Array]:
        """Return R^T (x, z): a vector in world axes, turned to tile axes."""
        return _turn(x, z, -self.rotation)


def _turn(x: ArrayLike, z: ArrayLike, angle: float) -> tuple[Array, Array]:
    x, z = np.asarray(x, np.float64), np.asarray(z, np.float64)
    cos, sin = math.cos(angle), math.sin(angle)
    return cos * x - sin * z, sin * x + cos * z


def peak_wavelength(system: WaveSystem) -> float:
    """Return the wavelength [m] at a system's peak, by its own dispersion; 0 for a flat system."""
    if system.is_flat:
        return 0.0
    return 2 * math.pi / float(wavenumber(system.peak_frequency, system.depth, system.dispersion))


def make_tiles(count: int, longest_peak_wavelength: float) -> tuple[Tile, ...]:
    """Return the tiles of `count` cascades, largest first, for a sea with this longest peak wavelength [m].

    The largest side doubles, so that a slowly growing wind leaves the wave vectors in place; the other sides follow by
    the ratio. Each band but the first begins at six wave numbers of its own tile, where the larger tile's ends.
    Rotations divide a quarter turn, the period of a square lattice, by the golden ratio.
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
    """Return the ranges (from, to) of wave numbers [rad/m] between the bands of the cascades at this size; none from
    114 on. `statistics.gap_share` weighs them."""
    return [(tile.cutoff(size), tile.high) for tile in tiles[:-1] if tile.cutoff(size) < tile.high]


SPACING = 0.6
"""Edge of the lattice's triangles, in sides of the tile."""

REACH = 0.8
"""Radius of a copy, in edges: more than 0.58, the distance of the triangles' centres, so that copies cover the sea;
less than 0.87, the height of the triangles, so that a copy stays within those around its point; and
2 REACH SPACING < 1, so that a copy spans less than the tile."""

HEIGHT = np.sqrt(3) / 2  # height of the triangles, in edges


@dataclass(frozen=True)
class Copy:
    """A copy at points (...): their positions in the world of the tile, and the weight of the copy there."""

    x: Array
    z: Array
    weight: Array
    gradient_x: Array  # gradient of the weight along world axes [1/m]
    gradient_z: Array


def lattice(tile: Tile, x: ArrayLike, z: ArrayLike) -> tuple[Array, Array]:
    """Return the coordinates of world positions [m] along two edges of the lattice that enclose 60 degrees."""
    u, v = (axis / (SPACING * tile.side) for axis in tile.to_tile(x, z))
    return u - v / (2 * HEIGHT), v / HEIGHT


def offsets(i: NDArray[np.int64], j: NDArray[np.int64]) -> tuple[Array, Array]:
    """Return the random offset of each lattice point's copy in tile axes, as multiples of 2^-24 sides (PCG2D; Jarzynski
    and Olano 2020, "Hash functions for GPU rendering")."""
    a, b = (np.asarray(n).astype(np.uint32) for n in (i, j))
    factor, term, half = np.uint32(1664525), np.uint32(1013904223), np.uint32(16)
    with np.errstate(over="ignore"):
        a, b = a * factor + term, b * factor + term
        for _ in range(2):
            a = a + b * factor
            b = b + a * factor
            a, b = a ^ (a >> half), b ^ (b >> half)
    return (a >> np.uint32(8)) / 2.0**24, (b >> np.uint32(8)) / 2.0**24


def copies(tile: Tile, x: ArrayLike, z: ArrayLike) -> list[Copy]:
    """Return the three copies that show at world positions (x, z) [m]."""
    p, q = lattice(tile, x, z)
    i, j = np.floor(p).astype(np.int64), np.floor(q).astype(np.int64)
    upper = (p - i) + (q - j) >= 1  # the triangle at the far corner of the lattice cell
    a, b = np.stack([i + upper, i + 1 - upper, i + upper]), np.stack([j + upper, j + upper, j + 1 - upper])
    away = np.stack([p - a + (q - b) / 2, HEIGHT * (q - b)])  # vectors from the three points, in edges and tile axes
    above = np.maximum(1 - np.sum(away**2, axis=0) / REACH**2, 0.0)
    norm = np.sqrt(np.sum(above**4, axis=0))
    weight, slope = above**2 / norm, -4 * above * away / REACH**2 / norm
    slope = (slope - weight * np.sum(weight * slope, axis=1, keepdims=True)) / (SPACING * tile.side)
    east, south = tile.to_world(*(tile.side * offset for offset in offsets(a, b)))
    return [Copy(*each) for each in zip(np.add(x, east), np.add(z, south), weight, *tile.to_world(*slope), strict=True)]


def blend(
    tile: Tile, x: ArrayLike, z: ArrayLike, packed_at: Callable[[Array, Array], NDArray[np.complex128]]
) -> NDArray[np.complex128]:
    """Return packed fields (count, ...) of a tile at world positions [m], blended from copies if the tile is blended.

    `packed_at(x, z)` returns the fields of one tile: the four of `fields.pack`, or fields without derivatives.
    Derivatives gain the gradients of the weights times the field. Dxz gains the mean of the gains of dDx/dz and
    dDz/dx; half their difference, about 0.01, is neglected.
    """
    x, z = np.asarray(x, np.float64), np.asarray(z, np.float64)
    if not tile.blended:
        return packed_at(x, z)
    total: NDArray[np.complex128] | float = 0.0
    for copy in copies(tile, x, z):
        part = packed_at(copy.x, copy.z)
        total = total + copy.weight * part
        if len(part) == 4:
            gx, gz, height, (dx, dz) = copy.gradient_x, copy.gradient_z, part[0].real, (part[1].real, part[1].imag)
            total = total + np.stack(
                [0.5j * (gz * dx + gx * dz), 0j * dx, gx * height + 1j * gz * height, gx * dx + 1j * gz * dz]
            )
    return np.asarray(total)
