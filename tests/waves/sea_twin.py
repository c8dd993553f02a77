"""The sea in numpy, from the steps in `ocean.waves.twin`: fields of a cascade, and the surface at given places."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.waves.amplitudes import wave_vectors
from ocean.waves.dispersion import Array, DispersionKind
from ocean.waves.second_order import Lift, lift
from ocean.waves.tiles import Tile, blend
from ocean.waves.twin import FIELDS, Complex, Fields, evolve, pack, sums, unpack


def fields(
    h0: NDArray[np.complexfloating],
    tile: Tile,
    n: NDArray[np.uint32],
    ticks: int,
    depth: float,
    dispersion: DispersionKind,
    places: tuple[ArrayLike, ArrayLike] | None = None,
) -> Fields:
    """Return the eight fields of a cascade at a tick, each (size, size): height, dx, dz [m], and their derivatives.

    If `places` are given, world x and z [m] as 1-D arrays, fields are computed there as trigonometric sums, at and
    between texels. slope_x and slope_z are derivatives of the height; dxx, dzz and dxz are derivatives of (dx, dz), not
    scaled by choppiness.
    """
    spectra = pack(evolve(h0, n, ticks), *wave_vectors(tile, len(h0)), depth, dispersion)
    return unpack(np.fft.ifft2(spectra, norm="forward") if places is None else sums(spectra, tile, *places))


def sample(field: Array, tile: Tile, x: ArrayLike, z: ArrayLike) -> Array:
    """Return a field of a tile at world positions [m] by repeating bilinear interpolation, as a texture unit does."""
    size = len(field)
    u, v = (coordinate * (size / tile.side) for coordinate in tile.to_tile(x, z))
    i, j = np.floor(u).astype(np.int64), np.floor(v).astype(np.int64)
    a, b = u - i, v - j
    i, j = i % size, j % size
    right, below = (i + 1) % size, (j + 1) % size
    upper = (1 - a) * field[j, i] + a * field[j, right]
    lower = (1 - a) * field[below, i] + a * field[below, right]
    return np.asarray((1 - b) * upper + b * lower)


def sea_at(cascades: Sequence[tuple[Tile, Mapping[str, Array]]], x: ArrayLike, z: ArrayLike) -> Fields:
    """Return the eight fields, summed over cascades (tile and fields), at world positions [m] of still water."""

    def packed(tile: Tile, each: Mapping[str, Array], x: Array, z: Array) -> Complex:
        values = [sample(each[name], tile, x, z) for name in FIELDS]
        return np.stack([real + 1j * imaginary for real, imaginary in zip(values[::2], values[1::2], strict=True)])

    return unpack(np.asarray(sum(blend(tile, x, z, partial(packed, tile, each)) for tile, each in cascades)))


def surface_point(
    cascades: Sequence[tuple[Tile, Mapping[str, Array]]], x: Array, z: Array, choppiness: float, lifts: Sequence[Lift]
) -> tuple[Array, Array, Array]:
    """Return the position of the water that rests at world (x, z) [m]: `(x + c Dx, h + c lift, z + c Dz)`, summed over
    all cascades and their lifts."""
    waves = [np.stack([sea_at([one], x, z)[name] for name in ("height", "dx", "dz")]) for one in cascades]
    height, dx, dz = np.sum(waves, axis=0)
    return x + choppiness * dx, height + choppiness * lift(lifts, waves), z + choppiness * dz
