"""Tiles without visible repetition: each is blended from copies of itself, each moved by a random offset.

A lattice of triangles covers the plane, and each of its points has a copy of the tile. At a place the copies of the
three points around it are blended, with weights whose squares add up to 1. So sums of Gaussian waves stay Gaussian with
equal variance (Heitz and Neyret 2018, "High-performance by-example noise using a histogram-preserving blending
operator"), and no lag maps a copy onto itself. Weights fall smoothly with the distance from the point, so that slopes
have no steps. `common/copies.glsl` is the GPU's twin.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.waves.dispersion import Array
from ocean.waves.tiles import Tile

SPACING = 0.6
"""Edge of the lattice's triangles, in sides of the tile."""

REACH = 0.8
"""Distance from its point at which a copy ends, in edges. Every place has a copy, as the triangles' centres are 0.58
away; a copy stays within the triangles around its point, which are 0.87 high; and a copy spans less than the tile, as
2 REACH SPACING < 1."""

HEIGHT = np.sqrt(3) / 2  # height of the triangles, in edges


@dataclass(frozen=True)
class Copy:
    """A copy at places (...): their positions in the world of the tile, and the weight of the copy there."""

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
    """Return the random offset of each lattice point's copy in tile axes, in sides, in steps of 2^-24 (PCG2D; Jarzynski
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


def copies(tile: Tile, x: ArrayLike, z: ArrayLike) -> tuple[Copy, Copy, Copy]:
    """Return the three copies that are blended at world positions (x, z) [m]."""
    x, z = np.asarray(x, np.float64), np.asarray(z, np.float64)
    p, q = lattice(tile, x, z)
    i, j = np.floor(p).astype(np.int64), np.floor(q).astype(np.int64)
    f, g = p - i, q - j
    upper = f + g >= 1  # the triangle at the far corner of the lattice cell
    corners = [(i + upper, j + upper), (i + 1 - upper, j + upper), (i + upper, j + 1 - upper)]
    away = []  # ways from the three points, in edges and tile axes
    for a, b in corners:
        away.append((p - a + (q - b) / 2, HEIGHT * (q - b)))
    above = [np.maximum(1 - (u * u + v * v) / REACH**2, 0.0) for u, v in away]
    norm = np.sqrt(sum(a**4 for a in above))
    weights = [a * a / norm for a in above]
    slopes = [[-4 * a * axis / REACH**2 / norm for axis in pair] for a, pair in zip(above, away, strict=True)]
    common = [sum(w * slope[axis] for w, slope in zip(weights, slopes, strict=True)) for axis in (0, 1)]
    found = []
    for corner, weight, slope in zip(corners, weights, slopes, strict=True):
        gradient = tile.to_world(*((slope[axis] - weight * common[axis]) / (SPACING * tile.side) for axis in (0, 1)))
        shift = tile.to_world(*(tile.side * offset for offset in offsets(*corner)))
        found.append(Copy(x + shift[0], z + shift[1], weight, *gradient))
    return found[0], found[1], found[2]


def blend(
    tile: Tile, x: ArrayLike, z: ArrayLike, packed_at: Callable[[Array, Array], NDArray[np.complex128]]
) -> NDArray[np.complex128]:
    """Return packed fields (count, ...) of a tile at world positions [m], blended from copies if the tile is blended.

    `packed_at(x, z)` returns the fields of one tile: the four of `twin.pack`, or fields without derivatives. As
    weights vary from place to place, derivatives gain the weights' gradients times the field. Dxz gains the mean of the
    gains of dDx/dz and dDz/dx; half their difference, about 0.01, is neglected.
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
