"""Random amplitudes of a cascade, `h0(k) = draw * sqrt(variance)`, and their turns per loop.

The draw depends on the seed alone and the variance on the sea alone, so that the sea can change under one draw. Arrays
are (size, size), indexed [z, x], in FFT order. A band that ends at wave number m is evaluated on the smallest grid that
holds it, of 2 (m + 1). Functions of |k| are evaluated once for each value of nx² + nz².
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ocean.waves.dispersion import DEFAULT_PERIOD, Array, DispersionKind, angular_frequency, loop_steps
from ocean.waves.systems import WaveSystem, unit
from ocean.waves.tiles import Tile

ROWS = 64
"""Rows evaluated at once, so that temporary arrays stay in the processor's cache."""

Scalar = TypeVar("Scalar", bound=np.generic)


def band_shells(tile: Tile, size: int) -> int:
    """Return the largest max(|nx|, |nz|) of the wave vectors in the tile's band: the number of shells of its draw."""
    return min(size // 2 - 1, math.ceil(tile.cutoff(size) / tile.dk) - 1)


def draw(seed: int, stream: int, size: int, shells: int | None = None) -> NDArray[np.complex64]:
    """Return random factors `(xr + i xi) / 2` of a cascade's wave vectors, with xr and xi independent and N(0, 1).

    Factors are 0 at k = 0, in the Nyquist row and column, and beyond `shells` if given. One counter-based stream
    (Philox, keyed by the seed and the cascade's `stream`) fills the square shells max(|nx|, |nz|) = 1, 2, ... from the
    inside, so that each size is a part of every larger one. The two halves of a 64-bit word make one factor, a Rayleigh
    length and a phase (Box and Muller 1958), so that the draw is the same in every version of numpy.
    """
    last = size // 2 - 1 if shells is None else min(shells, size // 2 - 1)
    generator = np.random.Philox(key=np.array([seed, stream], np.uint64))
    words = generator.random_raw((2 * last + 1) ** 2 - 1)
    uniform = (words.astype(np.uint32).astype(np.float32) + np.float32(0.5)) * np.float32(2**-32)
    angle = (words >> np.uint64(32)).astype(np.float32) * np.float32(2 * math.pi * 2**-32)
    length = np.sqrt(np.float32(-0.5) * np.log(uniform))
    factors = np.empty(len(words), np.complex64)
    factors.real, factors.imag = length * np.cos(angle), length * np.sin(angle)
    return _embed(np.fft.ifftshift(_wind_up(factors, last)), size)


def _wind_up(sequence: NDArray[Scalar], last: int) -> NDArray[Scalar]:
    """Return a sequence laid around the middle of a grid of 2 (last + 1), shell by shell: top, bottom, left, right."""
    middle = last + 1
    grid = np.zeros((2 * middle, 2 * middle), sequence.dtype)
    for r in range(1, last + 1):
        shell = sequence[(2 * r - 1) ** 2 - 1 : (2 * r + 1) ** 2 - 1]
        near, far = middle - r, middle + r
        row, column = 2 * r + 1, 2 * r - 1
        grid[near, near : far + 1] = shell[:row]
        grid[far, near : far + 1] = shell[row : 2 * row]
        grid[near + 1 : far, near] = shell[2 * row : 2 * row + column]
        grid[near + 1 : far, far] = shell[2 * row + column :]
    return grid


def variance(tile: Tile, size: int, systems: Sequence[WaveSystem]) -> NDArray[np.float32]:
    """Return the variance `Psi(k) dk²` [m²] of each wave vector of a tile, the sum of all systems;
    `h0 = draw * sqrt(variance)`.

    Waves outside the band, at k = 0 and in the Nyquist row and column have none. The band of the smallest tile ends in
    a circle at the tile's Nyquist wave number.
    """
    shells = band_shells(tile, size)
    lengths, index = _lattice(2 * (shells + 1))
    k = tile.dk * lengths
    inside = (k > tile.low) & (k < tile.cutoff(size))
    n = wave_numbers(2 * (shells + 1)).astype(np.float32)
    inverse = _mirrored((1 / np.maximum(lengths, 1)).astype(np.float32), index)
    total = np.zeros(inverse.shape, np.float32)
    for system in systems:
        if system.is_flat:
            continue
        radial = np.stack(system.radial(k[inside]))
        table = np.zeros((len(radial), len(k)), np.float32)
        table[:, inside] = radial
        factor, *parameters = (_mirrored(row, index) for row in table)
        x, z = (np.float32(component) for component in tile.to_tile(*unit(system.direction)))
        for start in range(0, len(n), ROWS):
            rows = slice(start, start + ROWS)
            cosine = (x * n + z * n[rows, None]) * inverse[rows]
            sine = (x * n[rows, None] - z * n) * inverse[rows]
            profile = system.spreading.profile(cosine, sine, *(parameter[rows] for parameter in parameters))
            total[rows] += factor[rows] * profile
    return _embed(total * np.float32(tile.dk**2), size)


def steps(
    tile: Tile, size: int, depth: float, dispersion: DispersionKind, period: float = DEFAULT_PERIOD
) -> NDArray[np.uint32]:
    """Return the turns per loop period [s] of each wave vector of a tile, in its band or not; see `loop_steps`."""
    return isotropic(tile, size, lambda k: loop_steps(angular_frequency(k, depth, dispersion), period))


def isotropic(tile: Tile, size: int, function: Callable[[Array], NDArray[Scalar]]) -> NDArray[Scalar]:
    """Return a function of the wave number k > 0 [rad/m] at every texel of a tile, (size, size); 0 at k = 0."""
    lengths, index = _lattice(size)
    return _mirrored(np.pad(function(tile.dk * lengths[1:]), (1, 0)), index)


def wave_vectors(tile: Tile, size: int) -> tuple[Array, Array]:
    """Return (kx, kz) [rad/m] of each texel, in world axes, (size, size) each: the tile's lattice turned by its
    rotation."""
    k = tile.dk * wave_numbers(size)
    return tile.to_world(*np.meshgrid(k, k))


def wave_numbers(size: int) -> Array:
    """Return the integers 0, 1, ..., size/2 - 1, -size/2, ..., -1: wave numbers along an axis, in FFT order."""
    return np.fft.ifftshift(np.arange(-(size // 2), size // 2, dtype=np.float64))


@lru_cache(maxsize=8)
def _lattice(size: int) -> tuple[Array, NDArray[np.int32]]:
    """Return the distinct norms of a grid's integer wave vectors, and the index of each texel's norm in the quarter of
    the grid from 0 to size/2 (`np.unique` with inverse)."""
    squares = np.arange(size // 2 + 1) ** 2
    square = squares[:, None] + squares
    occurs = np.zeros(square[-1, -1] + 1, bool)
    occurs[square] = True
    return np.sqrt(np.flatnonzero(occurs)), (np.cumsum(occurs, dtype=np.int32) - 1)[square]


def _mirrored(table: NDArray[Scalar], index: NDArray[np.int32]) -> NDArray[Scalar]:
    """Return a table over the distinct norms as a grid in FFT order: one quarter, mirrored."""
    return np.pad(table[index], (0, len(index) - 2), mode="reflect")


def _embed(box: NDArray[Scalar], size: int) -> NDArray[Scalar]:
    """Return a small grid in FFT order, padded with zeros to a larger size."""
    grid, half = np.zeros((size, size), box.dtype), len(box) // 2
    band = np.r_[0:half, -half:0]
    grid[np.ix_(band, band)] = box
    return grid


@dataclass(frozen=True, eq=False)
class CascadeWaves:
    """The waves of one cascade: amplitudes h0(k) and turns per loop, (size, size) each, with tile and dispersion."""

    tile: Tile
    h0: NDArray[np.complex128]
    steps: NDArray[np.uint32]
    depth: float  # m
    dispersion: DispersionKind
    period: float  # s, loop period

    def trimmed(self) -> tuple[NDArray[np.complex128], NDArray[np.uint32]]:
        """Return h0 and turns on the smallest even grid that holds all waves other than 0."""
        n = np.abs(wave_numbers(len(self.h0)))
        last = max((int(n[axis].max()) for axis in np.nonzero(self.h0) if len(axis)), default=0)
        half = min(last + 1, len(self.h0) // 2)
        band = np.ix_(*2 * [np.r_[0:half, -half:0]])
        return self.h0[band], self.steps[band]
