"""Predicted statistics of a sea: heights, periods, slopes and folds.

Integrals of the spectrum of wave systems hold without a grid; sums over wave vectors hold for a grid.
`sampling_deviation` is the scatter of one draw. `ocean.validation` measures the same statistics.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.common.errors import shown
from ocean.waves.amplitudes import isotropic
from ocean.waves.dispersion import GRAVITY, Array, DispersionKind, angular_frequency, orbit_ratio
from ocean.waves.systems import SHORTEST, WaveSystem
from ocean.waves.tiles import Tile, gaps

WAVE_NUMBERS = np.geomspace(1e-4, SHORTEST, 4001)
"""Wave numbers [rad/m] for integrals by the trapezoidal rule over ln k, whose error is 1e-5."""

FloatArray = NDArray[np.floating[Any]]


WATER_DENSITY = 1.025  # Mg/m³, of salt water


def significant_wave_height(variance: float) -> float:
    """Return Hs = 4 sqrt(m0) [m] from the variance of the height [m²] (IAHR list of sea-state parameters 1986)."""
    return 4 * math.sqrt(variance)


# Integrals of the spectrum.


def _integral(systems: Sequence[WaveSystem]) -> Array:
    """Return the variance of all waves longer than each of WAVE_NUMBERS."""
    k = WAVE_NUMBERS
    integrand = k * sum((system.wave_number_density(k) for system in systems), np.zeros_like(k))
    pieces = 0.5 * (integrand[1:] + integrand[:-1]) * np.diff(np.log(k))
    return np.concatenate([[0.0], np.cumsum(pieces)])


def variance_between(systems: Sequence[WaveSystem], low: float, high: float) -> float:
    """Return the variance of the height [m²] of all waves with low < k < high [rad/m]."""
    below = np.interp([low, high], WAVE_NUMBERS, _integral(systems))
    return float(below[1] - below[0])


def predicted_height(systems: Sequence[WaveSystem]) -> float:
    """Return the significant wave height [m] of all systems together, such as `settings.sea.systems`."""
    if not isinstance(systems, Sequence) or not all(isinstance(one, WaveSystem) for one in systems):
        raise TypeError(f"predicted_height takes wave systems, such as settings.sea.systems, not {shown(systems)}")
    return significant_wave_height(variance_between(systems, 0.0, SHORTEST))


def wave_energy(height: float) -> float:
    """Return the energy [kJ/m²] of linear waves with a significant height [m]."""
    return WATER_DENSITY * GRAVITY * height**2 / 16


def peak_period(w: Array, density: Array, width: Array) -> float:
    """Return the peak period [s] of densities over w on the last axis, `2 pi / (integral of w S⁴ / integral of S⁴)`
    (Young 1995). It is close to the period of a single peak, and lies between the periods of two peaks."""
    top = density.max(initial=0.0)
    if top <= 0:
        return 0.0
    weight = (density / top) ** 4 * width
    return float(2 * math.pi * np.sum(weight) / np.sum(w * weight))


def predicted_peak_period(systems: Sequence[WaveSystem]) -> float:
    """Return the period Tp [s] of the highest S(w) of all systems together, to 0.1 %; 0 for a flat sea."""
    moving = [system for system in systems if not system.is_flat]
    if not moving:
        return 0.0
    # In finite depth a peak lies above its deep-water shape's peak, by a factor of 1 / 0.6 at most.
    near = np.append(1.0, np.geomspace(0.9, 2.0, 1001))
    w = np.unique(np.concatenate([system.peak_frequency * near for system in moving]))
    return float(2 * math.pi / w[np.argmax(sum(system.density(w) for system in moving))])


def predicted_mean_period(systems: Sequence[WaveSystem]) -> float:
    """Return the mean period Tm02 [s], `2 pi sqrt(m0 / m2)` of all waves up to 1000 rad/m; 0 without waves.

    Tm02 is the mean time between upward crossings of the mean level (Rice 1945). A buoy, which misses waves below its
    own size, measures longer ones.
    """
    if all(system.is_flat for system in systems):
        return 0.0
    k = WAVE_NUMBERS
    density = k * sum((system.wave_number_density(k) for system in systems), np.zeros_like(k))
    w = angular_frequency(k, systems[0].depth, systems[0].dispersion)
    m0, m2 = (float(np.trapezoid(moment, np.log(k))) for moment in (density, w**2 * density))
    return 2 * math.pi * math.sqrt(m0 / m2) if m2 > 0 else 0.0


def polar_density(systems: Sequence[WaveSystem], k: ArrayLike, direction: ArrayLike) -> Array:
    """Return the variance density over wave vectors, Psi [m⁴], at wave numbers k > 0 [rad/m] and directions of
    propagation [rad], clockwise from north; the two broadcast."""
    k, direction = np.broadcast_arrays(np.asarray(k, np.float64), np.asarray(direction, np.float64))
    kx, kz = k * np.sin(direction), -k * np.cos(direction)
    return np.asarray(sum((system.wave_vector_density(kx, kz) for system in systems), np.zeros_like(k)))


@dataclass(frozen=True)
class Folds:
    """Second moments of Dxx, Dzz and Dxz at choppiness 1: sums over all waves of `P cos^(4-n) sin^n` for n from 0 to 4,
    where P is the variance that a wave brings to Dxx + Dzz and the angle is measured from any axis."""

    moments: tuple[float, ...]

    @classmethod
    def of(cls, power: Array, cosine: Array, sine: Array) -> Self:
        """Return the moments for P, `k² coth²(kd) Psi dk²`, and the direction of propagation of each wave."""
        return cls(tuple(float(np.sum(power * cosine ** (4 - n) * sine**n)) for n in range(5)))

    def deviation(self, choppiness: float) -> float:
        """Return the standard deviation of the Jacobian `J = 1 + c (Dxx + Dzz) + c² (Dxx Dzz - Dxz²)`, exactly.

        For a Gaussian sea the two parts are uncorrelated, and products of Gaussians have the variance of all their
        pairings (Isserlis 1918): `Mxxxx Mzzzz + 3 Mxxzz² - 4 Mxxxz Mxzzz` for the determinant.
        """
        xxxx, xxxz, xxzz, xzzz, zzzz = self.moments
        first, second = xxxx + 2 * xxzz + zzzz, xxxx * zzzz + 3 * xxzz**2 - 4 * xxxz * xzzz
        return math.sqrt(choppiness**2 * first + choppiness**4 * max(second, 0.0))


@dataclass(frozen=True)
class PolarMoments:
    """Moments that depend on the spreading: mean direction [degrees], slope variance along and across a given
    direction, and second moments of the folds."""

    mean: float
    slope_along: float
    slope_across: float
    folds: Folds


def predicted_polar_moments(systems: Sequence[WaveSystem], direction: float) -> PolarMoments:
    """Return the moments of all waves up to 1000 rad/m; `direction` [degrees] is the slopes' axis."""
    k = WAVE_NUMBERS[::8, None]
    angle = np.radians(np.arange(0.5, 360))
    weight = polar_density(systems, k, angle) * k**2 * math.log(WAVE_NUMBERS[8] / WAVE_NUMBERS[0]) * np.radians(1.0)
    depth, kind = (systems[0].depth, systems[0].dispersion) if systems else (math.inf, "deep")
    x, z = np.sum(weight * np.sin(angle)), -np.sum(weight * np.cos(angle))
    turned = angle - math.radians(direction)
    slopes = weight * k**2
    return PolarMoments(
        math.degrees(math.atan2(x, -z)) % 360,
        float(np.sum(slopes * np.cos(turned) ** 2)),
        float(np.sum(slopes * np.sin(turned) ** 2)),
        Folds.of(slopes * orbit_ratio(k, depth, kind) ** 2, np.cos(turned), np.sin(turned)),
    )


def mesh_deviation(systems: Sequence[WaveSystem], cells: ArrayLike, cutoff: float) -> Array:
    """Return the standard deviation [m] of the height that a mesh of square cells loses of all waves up to a cutoff
    [rad/m]; sides of cells [m] of any shape.

    Linear interpolation between vertices a apart loses up to (ka)²/8 of a wave k, at most all of it.
    """
    k = WAVE_NUMBERS
    variance = np.where(k[1:] < cutoff, np.diff(_integral(systems)), 0.0)
    lost = np.minimum(np.square(np.multiply.outer(np.asarray(cells, np.float64), k[1:])) / 8, 1.0)
    return np.asarray(np.sqrt(np.square(lost) @ variance))


def gap_share(tiles: Sequence[Tile], size: int, systems: Sequence[WaveSystem]) -> float:
    """Return the fraction of the variance that lies between the bands of the cascades at this size: 0 from 114 on."""
    lost = sum(variance_between(systems, low, high) for low, high in gaps(tiles, size))
    return lost / variance_between(systems, 0.0, SHORTEST) if lost else 0.0


def carried_height(tiles: Sequence[Tile], size: int, systems: Sequence[WaveSystem]) -> float:
    """Return the significant wave height [m] of the waves that the cascades carry at this size."""
    lost = sum(variance_between(systems, low, high) for low, high in gaps(tiles, size))
    return significant_wave_height(max(0.0, variance_between(systems, 0.0, tiles[-1].cutoff(size)) - lost))


# Sums over wave vectors.


def jacobian_power(tile: Tile, variance: FloatArray, depth: float, dispersion: DispersionKind) -> Array:
    """Return the first-order variance `k² coth²(kd) Psi dk²` that each wave vector brings to the Jacobian at choppiness
    1: to first order J is 1 + Dxx + Dzz, with the transform `-k coth(kd) H` of Dxx + Dzz."""
    ratio = isotropic(tile, len(variance), lambda k: np.square(k * orbit_ratio(k, depth, dispersion)))
    return np.asarray(variance * ratio)


def sampling_deviation(pairs: Sequence[FloatArray]) -> float:
    """Return the relative standard deviation of the variance of one draw, `sqrt(2 sum(pair²)) / sum(pair)`, for arrays
    of the mean powers `pair` of k and -k, over all k.

    |H(k)|² is exponentially distributed about its mean, because H is a complex Gaussian; k and -k make one sample,
    because the surface is real. A height, the root of a variance, has half the relative deviation.
    """
    total = sum(float(np.sum(pair, dtype=np.float64)) for pair in pairs)
    squares = sum(float(np.sum(np.square(pair, dtype=np.float64))) for pair in pairs)
    return math.sqrt(2 * squares) / total if total else 0.0


def mirrored(spectrum: NDArray[Any]) -> NDArray[Any]:
    """Return an array over wave vectors, (size, size) in FFT order, with k and -k exchanged."""
    return np.roll(spectrum[::-1, ::-1], (1, 1), (0, 1))


ROGUE_CREST, ROGUE_WAVE = 1.25, 2.0
"""Crest and height, over Hs, from which a wave is called rogue (Haver 2000)."""


def tayfun(crest: float, skewness: float) -> float:
    """Return the second-order crest, over Hs, for a linear `crest` z over Hs: `z + 2 mu z²` with
    `mu = skewness / 3` (Tayfun 1980; Fedele and Tayfun 2009)."""
    return crest + 2 * skewness / 3 * crest**2


def highest(waves: int) -> tuple[float, float]:
    """Return mean and deviation, over Hs, of the highest crest among a number of linear waves, at least 2 (Gumbel's
    limit; Longuet-Higgins 1952)."""
    root, euler = math.sqrt(2 * math.log(waves)), 0.5772156649
    return (root + euler / root) / 4, math.pi / (math.sqrt(6) * root) / 4
