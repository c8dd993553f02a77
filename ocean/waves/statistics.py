"""What a sea must look like: heights, periods, slopes, folds and foam; integrated, summed on a grid, and measured.

Three ways to the same numbers, so that each can be held against the others: integrals of the spectrum (of wave
systems), sums over the wave vectors of tiles (of their variance), and averages over fields, with the scatter that one
finite draw must have.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from ocean.waves.amplitudes import isotropic, wave_numbers
from ocean.waves.dispersion import Array, DispersionKind, angular_frequency, group_speed, orbit_ratio
from ocean.waves.systems import WaveSystem
from ocean.waves.tiles import Tile, gaps

SHORTEST = 1000.0
"""Wave number [rad/m] of the shortest waves that integrals count: 6 mm, where viscosity ends the spectrum."""

WAVE_NUMBERS = np.geomspace(1e-4, SHORTEST, 4001)
"""Wave numbers [rad/m] on which spectra are integrated, by the trapezoidal rule over ln k: to 1e-5."""

FloatArray = NDArray[np.floating[Any]]
Cascade = tuple[Tile, FloatArray]
"""A tile and the variance `Psi dk²` [m²] of its wave vectors, (size, size)."""


def significant_wave_height(variance: float) -> float:
    """Hs = 4 sqrt(m0) [m] from the variance of the height [m²] (IAHR list of sea-state parameters 1986)."""
    return 4 * math.sqrt(variance)


# Integrals of the spectrum.


def _integral(systems: Sequence[WaveSystem], power: int) -> Array:
    """The integral of k^power over the variance of all waves longer than those of each of WAVE_NUMBERS."""
    k = WAVE_NUMBERS
    integrand = k ** (power + 1) * sum((system.wave_number_density(k) for system in systems), np.zeros_like(k))
    pieces = 0.5 * (integrand[1:] + integrand[:-1]) * np.diff(np.log(k))
    return np.concatenate([[0.0], np.cumsum(pieces)])


def variance_between(systems: Sequence[WaveSystem], low: float, high: float) -> float:
    """Variance of the height [m²] of all waves with low < k < high [rad/m]."""
    below = np.interp([low, high], WAVE_NUMBERS, _integral(systems, 0))
    return float(below[1] - below[0])


def predicted_height(systems: Sequence[WaveSystem]) -> float:
    """Significant wave height [m] of all systems together."""
    return significant_wave_height(variance_between(systems, 0.0, SHORTEST))


def predicted_peak_period(systems: Sequence[WaveSystem]) -> float:
    """Peak period [s] of all systems together by the Delft estimate; 0 for a flat sea.

    Systems share a dispersion relation: the first one's.
    """
    if all(system.is_flat for system in systems):
        return 0.0
    k, (depth, kind) = WAVE_NUMBERS, (systems[0].depth, systems[0].dispersion)
    w, speed = angular_frequency(k, depth, kind), group_speed(k, depth, kind)
    density = sum((system.wave_number_density(k) for system in systems), np.zeros_like(k)) / speed
    return 2 * math.pi / delft_peak(w, density, speed * k)


def unresolved_slope_variance(systems: Sequence[WaveSystem], cutoffs: ArrayLike) -> Array:
    """Mean square slope of all waves shorter than each cutoff [rad/m], up to 1000 rad/m: what shading has to add.

    Never increases with the cutoff; 0 from 1000 rad/m on. Any shape.
    """
    slopes = _integral(systems, 2)
    return np.asarray(slopes[-1] - np.interp(np.asarray(cutoffs, np.float64), WAVE_NUMBERS, slopes))


def mesh_deviation(systems: Sequence[WaveSystem], cells: ArrayLike, cutoff: float) -> Array:
    """Standard deviation [m] of what a mesh of square cells of given sides [m] loses of the height of all waves up to a
    cutoff [rad/m]. Any shape.

    Linear interpolation between vertices a apart loses up to (ka)²/8 of a wave k, and never more than all of it.
    """
    k = WAVE_NUMBERS
    variance = np.where(k[1:] < cutoff, np.diff(_integral(systems, 0)), 0.0)
    lost = np.minimum(np.square(np.multiply.outer(np.asarray(cells, np.float64), k[1:])) / 8, 1.0)
    return np.asarray(np.sqrt(np.square(lost) @ variance))


def gap_share(tiles: Sequence[Tile], size: int, systems: Sequence[WaveSystem]) -> float:
    """Share of the variance that lies between the cascades at this size and is lost: 0 for size >= 114."""
    lost = sum(variance_between(systems, low, high) for low, high in gaps(tiles, size))
    return lost / variance_between(systems, 0.0, SHORTEST) if lost else 0.0


# Sums over wave vectors.


def slope_power(tile: Tile, variance: FloatArray) -> Array:
    """Variance of the slope of each wave vector: `k² Psi dk²`."""
    return np.asarray(variance * isotropic(tile, len(variance), np.square))


def jacobian_power(tile: Tile, variance: FloatArray, depth: float, dispersion: DispersionKind) -> Array:
    """Variance that each wave vector brings to the Jacobian at choppiness 1, to first order: `k² coth²(kd) Psi dk²`.

    To first order J is 1 + Dxx + Dzz, and the transform of Dxx + Dzz is `-k coth(kd) H`.
    """
    ratio = isotropic(tile, len(variance), lambda k: np.square(k * orbit_ratio(k, depth, dispersion)))
    return np.asarray(variance * ratio)


def jacobian_variance(tile: Tile, variance: FloatArray, depth: float, dispersion: DispersionKind) -> float:
    """Variance of the Jacobian that one cascade brings, to first order at choppiness 1; it grows as choppiness²."""
    return float(jacobian_power(tile, variance, depth, dispersion).sum())


def sampling_deviation(powers: Sequence[FloatArray]) -> float:
    """Standard deviation of a variance measured over one draw, relative to its mean, the sum of these powers.

    `sqrt(2 sum(((P(k) + P(-k)) / 2)²)) / sum(P)` for arrays of P in FFT order: |H(k)|² is exponentially distributed
    about the mean of P(k) and P(-k), because H is a complex Gaussian, and k and -k make one sample, because the surface
    is real. That of a height, the root of a variance, is half as much.
    """
    pairs = [np.asarray(power + mirrored(power), np.float64) / 2 for power in powers]
    total = sum(float(pair.sum()) for pair in pairs)
    return math.sqrt(2 * sum(float(np.sum(pair**2)) for pair in pairs)) / total if total else 0.0


def mirrored(spectrum: NDArray[Any]) -> NDArray[Any]:
    """An array over wave vectors, (size, size) in FFT order, with k and -k exchanged."""
    return np.roll(spectrum[::-1, ::-1], (1, 1), (0, 1))


def delft_peak(w: Array, density: Array, width: Array) -> float:
    """Peak frequency [rad/s], steadier than the highest bin: `integral of w S^4 / integral of S^4` (Young 1995)."""
    weight = density**4 * width
    return float(np.sum(w * weight) / np.sum(weight))


def ring_peak_period(tile: Tile, power: FloatArray, depth: float, dispersion: DispersionKind) -> float:
    """Peak period [s] by the Delft estimate from the power [m²] of each wave vector of a tile, summed over rings.

    The power may be `Psi dk²` or that of a measured height, `field_power`; 0 where there is none.
    """
    if not np.any(power):
        return 0.0
    n = wave_numbers(len(power))
    ring = np.rint(np.hypot(n, n[:, None])).astype(int)
    total = np.bincount(ring.ravel(), np.asarray(power, np.float64).ravel())[1 : len(power) // 2]
    k = tile.dk * np.arange(1, len(power) // 2)
    width = group_speed(k, depth, dispersion) * tile.dk
    return 2 * math.pi / delft_peak(angular_frequency(k, depth, dispersion), total / width, width)


# Averages over fields.


def field_power(field: FloatArray) -> Array:
    """Power of each wave vector of a field (size, size) in FFT order; the sum is the field's mean square."""
    return np.asarray(np.abs(np.fft.fft2(field, norm="forward")) ** 2)


def skewness_and_kurtosis(samples: FloatArray) -> tuple[float, float]:
    """Third and fourth standardised moments: 0 and 3 for a linear sea, whose heights are Gaussian."""
    centred = np.asarray(samples, np.float64) - np.mean(samples, dtype=np.float64)
    variance = np.mean(centred**2)
    return float(np.mean(centred**3) / variance**1.5), float(np.mean(centred**4) / variance**2)


@dataclass(frozen=True)
class SeaStatistics:
    """Significant wave height [m], mean square slope, and standard deviation of the Jacobian, of all cascades."""

    significant_wave_height: float
    mean_square_slope: float
    jacobian_deviation: float


def predict(cascades: Sequence[Cascade], choppiness: float, depth: float, dispersion: DispersionKind) -> SeaStatistics:
    """What the cascades' variances say."""
    folds = sum(jacobian_variance(tile, variance, depth, dispersion) for tile, variance in cascades)
    return SeaStatistics(
        significant_wave_height(sum(float(variance.sum(dtype=np.float64)) for _, variance in cascades)),
        sum(float(slope_power(tile, variance).sum()) for tile, variance in cascades),
        choppiness * math.sqrt(folds),
    )


def measure(fields: Mapping[str, FloatArray], choppiness: float, samples: int = 65536) -> SeaStatistics:
    """What the fields show: height, slope_x, slope_z, dxx, dzz and dxz, each (cascade, size, size).

    Cascades carry different waves, so that their variances add. The Jacobian is not linear in the waves and needs the
    sum of all cascades at one point: a random texel of each stands for that, because tiles are not commensurate.
    """

    def mean_square(name: str) -> float:
        return float(np.sum(np.mean(np.square(fields[name], dtype=np.float64), axis=(1, 2))))

    cascades, size, _ = fields["height"].shape
    texels = np.random.default_rng(0).integers(size, size=(2, cascades, samples))
    places = (np.arange(cascades)[:, None], texels[0], texels[1])
    dxx, dzz, dxz = (choppiness * fields[name][places].sum(axis=0, dtype=np.float64) for name in ("dxx", "dzz", "dxz"))
    return SeaStatistics(
        significant_wave_height(mean_square("height")),
        mean_square("slope_x") + mean_square("slope_z"),
        float(np.std((1 + dxx) * (1 + dzz) - dxz**2)),
    )


# Foam.


def whitecap_coverage(speed: float) -> float:
    """Share of the water that foam covers, old foam included, under a wind of U10 = speed [m/s]; at most 1.

    `W = 3.84e-6 U10^3.41` (Monahan and O'Muircheartaigh 1980), fitted to winds below 20 m/s.
    """
    return min(1.0, 3.84e-6 * math.pow(speed, 3.41))


@dataclass(frozen=True)
class JacobianStatistics:
    """The Jacobian at a point of still water, at choppiness 1: to second order `J = 1 + s + bend (s² - variance)`.

    s = Dxx + Dzz is a Gaussian process; the determinant Dxx Dzz - Dxz², of mean 0, follows it as far as the two share
    directions: `bend = (Mxx Mzz - Mxz²) / (Mxx + Mzz)²` for the moments Mij of ki kj coth²(kd) Psi over all waves.
    """

    variance: float = 0.0  # of s
    rate: float = 0.0  # mean frequency of s [rad/s]: root of its second spectral moment over its variance
    bend: float = 0.0

    @classmethod
    def of(cls, moments: ArrayLike) -> Self:
        """From the sums over all waves of P, w² P, kx² P / k², kz² P / k² and kx kz P / k², P from `jacobian_power`."""
        variance, second, xx, zz, xz = (float(moment) for moment in np.asarray(moments))
        if variance <= 0:
            return cls()
        return cls(variance, math.sqrt(second / variance), (xx * zz - xz * xz) / variance**2)

    def level(self, u: float, choppiness: float) -> float:
        """The Jacobian where s stands u standard deviations from its mean."""
        deviation = choppiness * math.sqrt(self.variance)
        return 1 + deviation * u + self.bend * deviation**2 * (u * u - 1)


def mean_foam(u: float, rate: float, decay_time: float, width: float) -> float:
    """Mean of the foam map, old foam included, where foam is born while a Gaussian process stands below u deviations.

    The process has this mean frequency [rad/s]. It is below for a share Phi(u) of the time, in events that come
    `rate / (2 pi) exp(-u² / 2)` times a second (Rice 1945). Each leaves foam as strong as its depth below u over
    `width` (both in deviations; at most 1), which fades to 1/e in `decay_time` [s].
    """
    normal = NormalDist()
    share = normal.cdf(u)
    depth = u + normal.pdf(u) / share  # mean depth below u, once below it
    birth = 1.0 if width == 0 else depth / width * -math.expm1(-width / max(depth, 1e-12))
    events = (
        rate / (2 * math.pi) * math.exp(-(min(u, 0.0) ** 2) / 2)
    )  # above the mean, where few gaps are left: the most
    return birth * (1 - (1 - share) * math.exp(-events * decay_time))


def foam_threshold(
    jacobian: JacobianStatistics, choppiness: float, coverage: float, decay_time: float = 0.0, width: float = 0.0
) -> float:
    """The Jacobian below which foam has to be born for it to cover a share `coverage` of the water on average.

    Foam grows from 0 to 1 as the Jacobian falls by `width` below the threshold, and fades to 1/e in `decay_time` [s].
    The level is looked for within 6 deviations, so that the threshold is finite; it is a Gaussian's, bent to second
    order, and its tail is uncertain by a factor of about 2 in coverage.
    """
    deviation = choppiness * math.sqrt(jacobian.variance)
    if deviation == 0:
        return 1.0 - 6 * width

    def excess(u: float) -> float:
        return mean_foam(u, jacobian.rate, decay_time, width / deviation) - coverage

    low, high = -6.0, 6.0
    u = low if excess(low) >= 0 else high if excess(high) <= 0 else float(brentq(excess, low, high, xtol=1e-9))
    return jacobian.level(u, choppiness)
