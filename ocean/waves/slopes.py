"""Slopes for shading: covariance of the slopes, and variance of the strain, of waves that are too short to be drawn.

Covariances are (..., 3): of the slopes along x, along z, and between the two. `tests/reference/slope_filters.py` has
the cutoffs of footprints, meshes and pixels, which only shaders use.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.waves import statistics
from ocean.waves.dispersion import Array, orbit_ratio
from ocean.waves.spreading import measured_slopes
from ocean.waves.systems import SHORTEST, WaveSystem, unit
from ocean.waves.tiles import Tile

EDGE = 0.7
"""Softness of the cutoffs of maps and meshes: the deviation of the normal distribution of ln(cutoff) that keeps as
much variance (`tests/waves/test_slopes.py`)."""

_K = np.geomspace(1e-4, SHORTEST, 1001)
_THETA = 2 * np.pi * np.arange(128) / 128


def interpolated(reach: float) -> float:
    """Return the sharp cutoff, in rad per texel, that keeps as much slope variance as linear interpolation of waves
    with k up to `reach`, if each octave holds the same variance.

    Interpolation keeps (2 + cos kx)(2 + cos kz) / 9 of a wave's slope variance; the rest is never shown, however close
    the view.
    """
    ln, phi = np.linspace(np.log(1e-3), np.log(reach), 500), np.pi / 2 * (np.arange(64) + 0.5) / 64
    x, z = np.exp(ln)[:, None] * np.cos(phi), np.exp(ln)[:, None] * np.sin(phi)
    kept = ((2 + np.cos(x)) * (2 + np.cos(z)) / 9).mean(axis=1)
    return float(np.exp(ln[0] + np.trapezoid(kept, ln)))


def shown_slopes(tiles: Sequence[Tile], size: int) -> tuple[float, list[tuple[float, float]]]:
    """Return the wave number [rad/m] at which the slopes of maps of `size` end, and the ranges (from, to) that maps
    lack below it."""
    texels = [tile.side / size for tile in tiles]
    ends = [interpolated(tile.cutoff(size) * texel) / texel for tile, texel in zip(tiles, texels, strict=True)]
    return ends[-1], [(end, tile.high) for end, tile in zip(ends[:-1], tiles[:-1], strict=True)]


def cumulative(systems: Sequence[WaveSystem]) -> Array:
    """Return the covariance of the slopes, and the variance of the strain Dxx + Dzz at choppiness 1, of all waves
    longer than each of 1001 wave numbers, 1e-4 to 1000 rad/m: (1001, 4).

    In deep water the strain has the variance of the slopes; over a bottom orbits are flatter.
    """
    density = sum((_density(system) for system in systems if not system.is_flat), np.zeros((len(_K), 4)))
    pieces = 0.5 * (density[1:] + density[:-1]) * np.diff(np.log(_K))[:, None]
    return np.concatenate([np.zeros((1, 4)), np.cumsum(pieces, axis=0)])


def _density(system: WaveSystem) -> Array:
    """Return slope covariance and strain variance of one system, as densities over ln k."""
    _, *parameters = system.radial(_K)
    columns = [np.asarray(parameter)[..., None] for parameter in parameters]
    profile = np.broadcast_to(
        system.spreading.profile(np.cos(_THETA), np.sin(_THETA), *columns), (len(_K), len(_THETA))
    )
    share = profile / profile.sum(axis=1, keepdims=True)
    x, z = unit(system.direction)
    east, south = x * np.cos(_THETA) - z * np.sin(_THETA), z * np.cos(_THETA) + x * np.sin(_THETA)
    moments = share @ np.stack([east**2, south**2, east * south], axis=-1)
    strain = orbit_ratio(_K, system.depth, system.dispersion) ** 2
    return np.asarray((_K**3 * system.wave_number_density(_K))[:, None] * np.column_stack([moments, strain]))


def unresolved(
    systems: Sequence[WaveSystem],
    cutoffs: ArrayLike,
    end: float = SHORTEST,
    gaps: Sequence[tuple[float, float]] = (),
) -> Array:
    """Return the covariance of the slopes and the variance of the strain, (..., 4), that are not drawn if waves up to
    each cutoff [rad/m] are, except those in `gaps` (low, high) [rad/m] and those beyond `end`, as from `shown_slopes`.

    Up to `end` slopes follow the spectrum. Beyond it, where the tails of spectra lack data, they are the difference to
    the total slopes that Cox and Munk measured along and across the wind. The strain follows the spectrum throughout,
    without the ripples beyond it, whose orbits are unknown.
    """
    below, ends = cumulative(systems), np.log(_K)

    def at(k: ArrayLike) -> Array:
        return np.stack([np.interp(np.log(np.clip(k, _K[0], _K[-1])), ends, column) for column in below.T], axis=-1)

    cutoffs = np.minimum(cutoffs, end)
    rest = at(end) - at(cutoffs)
    for low, high in gaps:
        rest = rest + at(np.clip(cutoffs, low, high)) - at(low)
    return np.asarray(rest + np.append(missing_slopes(systems, at(end)[:3]), below[-1, 3] - at(end)[3]))


def filtered(left: Callable[[Array], Array], cutoffs: Array, end: float) -> Array:
    """Return the mean, (m, ...), of `left`, a function of sharp cutoffs (m, n) -> (m, n, ...), over soft cutoffs (m,).

    Where each octave holds the same variance, the mean equals `left` at the cutoff; beside a peak more waves pass.
    From `end` on maps hold all waves unfiltered.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(5)
    each = left(cutoffs[:, None] * np.exp(np.where(cutoffs < end, EDGE, 0.0)[:, None] * nodes))
    return np.asarray(np.tensordot(weights / weights.sum(), each, axes=(0, 1)))


def missing_slopes(systems: Sequence[WaveSystem], own: Array) -> Array:
    """Return the covariance (3,) by which the slopes measured for a sea's wind exceed its `own` (3,), at least 0."""
    windy = [system for system in systems if system.wind_speed > 0 and not system.is_flat]
    if not windy:
        return np.zeros(3)
    x, z = unit(windy[0].wind_direction)
    along = x * x * own[0] + z * z * own[1] + 2 * x * z * own[2]
    measured = measured_slopes(windy[0].wind_speed)
    a, b = max(measured[0] - along, 0.0), max(measured[1] - (own[0] + own[1] - along), 0.0)
    return np.array([a * x * x + b * z * z, a * z * z + b * x * x, (a - b) * x * z])


RIPPLES = 2 * np.pi / 0.3
"""Wave number [rad/m] from which on waves are ripples, of centimetres to decimetres, which breakers damp."""

CUTOFFS = np.logspace(-3, 3, 256)  # wave numbers [rad/m] of the table of unresolved waves
CELLS = np.arange(-24, 22)  # binary logarithms of the sides of a mesh's cells [m]


@dataclass(frozen=True, eq=False)
class Roughness:
    """Variances of a sea's waves. A blend has the means over its seas."""

    unresolved: Array  # (256, 4): slope covariance, and variance of the strain, of waves beyond each of CUTOFFS
    strain_variance: float  # variance of Dxx + Dzz, all waves
    height_variance: float  # m²
    mesh_variance: Array  # m²: variance of a mesh's error, for each of CELLS

    @classmethod
    def of(cls, systems: Sequence[WaveSystem], tiles: Sequence[Tile], size: int) -> Self:
        cutoff = tiles[-1].cutoff(size)
        end, lacking = shown_slopes(tiles, size)
        return cls(
            filtered(lambda k: unresolved(systems, k, end, lacking), CUTOFFS, cutoff),
            float(cumulative(systems)[-1, 3]),
            (statistics.predicted_height(systems) / 4) ** 2,
            statistics.mesh_deviation(systems, 2.0**CELLS, cutoff) ** 2,
        )

    @classmethod
    def mean(cls, parts: Sequence[tuple[float, Self]]) -> Self:
        """Return the mean over seas with their fractions."""
        return cls(*(sum(share * getattr(sea, one.name) for share, sea in parts) for one in fields(cls)))

    @property
    def height_deviation(self) -> float:
        """Standard deviation of the height [m]."""
        return math.sqrt(self.height_variance)

    @property
    def crest(self) -> float:
        """Height of the highest crests [m]: five standard deviations."""
        return 5 * self.height_deviation

    @property
    def slope_covariance(self) -> Array:
        """Covariance (3,) of all slopes that maps do not show."""
        return self.unresolved[0, :3]

    @property
    def slope_variance(self) -> float:
        """Variance of the slopes that maps do not show, both axes together."""
        return float(self.slope_covariance[:2].sum())

    @property
    def ripple_variance(self) -> float:
        """Variance of the slopes of ripples, both axes together."""
        return float(np.interp(RIPPLES, CUTOFFS, self.unresolved[:, :2].sum(axis=1)))

    def mesh_error(self, cells: NDArray[np.float64]) -> Array:
        """Return the standard deviation [m] of a mesh's error for sides of cells [m], powers of two."""
        return np.asarray(np.sqrt(self.mesh_variance[np.log2(cells).astype(int) - CELLS[0]]))
