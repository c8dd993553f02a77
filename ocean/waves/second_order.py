"""Second-order crests: the lift that linear waves with choppiness lack.

To second order in steepness, waves interact in pairs and bind waves of the sum and the difference of their wave vectors
(Longuet-Higgins 1963, "The effect of non-linearities on statistical distributions in the theory of sea waves").
Choppiness makes the sums, which sharpen crests. It lacks the differences, which raise the water where waves are high,
and it lowers the mean level by c k a² / 2 per wave. The lift of the water at a point of still water adds both (second
order of the choppy wave model: Nouguier, Guérin and Chapron 2009, doi:10.1029/2008JC005126). With A = (h, Dx, Dz),

    lift = rise + own A² / 2 + A · (sum over longer cascades of cross A)

for each cascade, where A² = h² + orbit (Dx² + Dz²). For two waves of one length and an angle d between them this is
their exact kernel of differences, k (1 + cos d) / 2. `own` and `cross` are the means of the exact kernels over all
pairs of the spectrum, so that the third moment of the surface follows second-order theory, also for directional
seas and finite depth; `rise` returns the mean level to 0. The lift is a product of fields that readers of the maps
have: it needs no transform, and holds for blended tile copies. Readers multiply it by the choppiness.

`common/second_order.glsl` does the same on the GPU.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from ocean.waves.dispersion import Array, angular_frequency, orbit_ratio
from ocean.waves.statistics import WAVE_NUMBERS, polar_density
from ocean.waves.systems import WaveSystem
from ocean.waves.tiles import Tile

STRIDE = 24
"""Stride on WAVE_NUMBERS for the sums over pairs of waves: 10 % per step."""

DIRECTIONS = 36
"""Directions of the sums over pairs of waves."""

APART = 1.02
"""Ratio of wave numbers used for two waves of equal step, where the kernels are defined only as a limit."""

LARGEST_SKEWNESS = 1.0
"""Skewness at which the lift stops growing; in shallow water second-order theory fails long before."""


class Lift(NamedTuple):
    """Coefficients of one cascade's lift."""

    own: float = 0.0
    """Coupling of the cascade's waves with each other [1/m]."""
    cross: float = 0.0
    """Coupling of the cascade's waves with all shorter ones [1/m]."""
    orbit: float = 1.0
    """Ratio of the variances of height and horizontal displacement: 1 in deep water."""
    rise: float = 0.0
    """Constant part [m]."""

    @classmethod
    def mean(cls, parts: Sequence[tuple[float, Self]]) -> Self:
        """Return the coefficients of a cascade in a blend of seas, given each sea's fraction of the waves."""
        whole = sum(share for share, _ in parts)
        if whole == 0:
            return cls()
        own, cross, orbit, rise = (sum(share * part[i] for share, part in parts) for i in range(4))
        return cls(own / whole, cross / whole, orbit / whole, rise)


NONE = Lift()


def kernels(k: ArrayLike, other: ArrayLike, angle: ArrayLike, depth: float = np.inf) -> tuple[Array, Array]:
    """Return the kernels of sums and differences [rad/m], K+ and K-, of two waves with wave numbers `k` and `other`
    [rad/m] and an angle [rad] between them.

    The second-order surface is the sum over all ordered pairs of waves with amplitudes a and phases p of
    `a a' (K+ cos(p + p') + K- cos(p - p')) / 4` (Sharma and Dean 1981; Forristall 2000, eqs. A3 to A7). Gravity
    waves only.
    """
    k, other = np.asarray(k, np.float64), np.asarray(other, np.float64)
    first, second = k * np.tanh(k * depth), other * np.tanh(other * depth)  # w² / g
    dot, roots = k * other * np.cos(angle), (np.sqrt(first), np.sqrt(second))
    found = []
    for sign in (1, -1):
        both = np.sqrt(np.maximum(k * k + other * other + 2 * sign * dot, 0.0))
        tanh = np.where(both > 0, np.tanh(np.minimum(both, 1e300) * depth), 0.0) if np.isfinite(depth) else 1.0
        square = (roots[0] + sign * roots[1]) ** 2
        top = (roots[0] + sign * roots[1]) * (
            roots[1] * (k * k - first * first) + sign * roots[0] * (other * other - second * second)
        ) + 2 * square * (dot - sign * first * second)
        bottom = square - both * tanh
        ratio = np.divide(top, bottom, out=np.zeros(np.broadcast(top, bottom).shape), where=np.abs(bottom) > 1e-14)
        found.append((ratio - (dot - sign * first * second)) / (roots[0] * roots[1]) + first + second)
    return found[0], found[1]


def _pairs(systems: Sequence[WaveSystem]) -> tuple[Array, Array, Array]:
    """Return steps of the wave number [rad/m] (n,), the variance [m²] of each (n,), and the coupling [m^3] of each two
    (n, n): the sum over all directions of `(K+ + K-) / 2` times both variances."""
    k, density = _rings(systems)
    there = density.sum(1) > 1e-9 * density.sum()
    depth = systems[0].depth if systems[0].dispersion != "deep" else np.inf
    coupling = _coupled(density[there], _harmonics(depth)[:, there][:, :, there])
    return k[there], density[there].sum(1), (coupling + coupling.T) / 2


def _skewness(power: Array, coupling: Array) -> float:
    """Return the skewness of the surface, `3 (sum of couplings) / variance^1.5` (Longuet-Higgins 1963), 3 k sigma for
    waves of one length in deep water."""
    variance = float(power.sum())
    # A calm's variance may be so small that its powers are 0: divide by the variance itself.
    return 3 * float(coupling.sum()) / variance / variance * variance**0.5 if variance > 0 else 0.0


def _rings(systems: Sequence[WaveSystem]) -> tuple[Array, Array]:
    """Return the steps of the wave number [rad/m], (n,), and the variance [m²] at each and each direction."""
    k = WAVE_NUMBERS[::STRIDE]
    turn = 2 * np.pi / DIRECTIONS
    measure = (k * k)[:, None] * np.log(k[1] / k[0]) * turn
    return k, polar_density(systems, k[:, None], turn * np.arange(DIRECTIONS)) * measure


def _coupled(density: Array, harmonics: Array) -> Array:
    """Return the sum over directions of a kernel times both variances, (n, n). As the kernel depends on the difference
    of the directions, the sum is a product of harmonics."""
    rings = np.fft.rfft(density, axis=1)
    counts = np.r_[1, np.full(DIRECTIONS // 2 - 1, 2), 1] / DIRECTIONS
    return np.asarray(np.einsum("mab,am,bm->ab", harmonics, rings * counts, rings.conj()).real)


@lru_cache(maxsize=4)
def _kernels(depth: float) -> tuple[Array, Array, Array]:
    """Return K+ and K- of waves of all steps at angles from 0 to pi, (n, n, DIRECTIONS / 2 + 1), and the angles."""
    k, angle = WAVE_NUMBERS[::STRIDE], np.linspace(0.0, np.pi, DIRECTIONS // 2 + 1)
    other = np.where(np.eye(len(k), dtype=bool), k * APART, k)[..., None]
    return *kernels(k[:, None, None], other, angle, depth), angle


def _over_angles(kernel: Array) -> Array:
    """Return the harmonics of a kernel, which is even in the angle, from its values at angles from 0 to pi."""
    return np.moveaxis(np.fft.rfft(np.concatenate([kernel, kernel[..., -2:0:-1]], -1), axis=-1).real, -1, 0).copy()


@lru_cache(maxsize=4)
def _harmonics(depth: float) -> Array:
    """Return harmonics of `(K+ + K-) / 2` over the angle between waves of all steps, (DIRECTIONS / 2 + 1, n, n)."""
    plus, minus, _ = _kernels(depth)
    return _over_angles((plus + minus) / 2)


@lru_cache(maxsize=16)
def strain_third_moments(systems: tuple[WaveSystem, ...], cutoff: float, blur: float) -> tuple[float, float]:
    """Return the means of s³ and of s (ds/dt)² [1/s²] for the strain s = Dxx + Dzz of nonlinear waves up to a wave
    number `cutoff` [rad/m], blurred by a Gaussian with a deviation of `blur` [m].

    By second-order theory bound waves alone make them. Two waves with strains e and e' of 1 m have bound waves at the
    sum and the difference of their wave vectors and frequencies, with the strain of a free wave of that length. The sum
    over all pairs of variances P P' gives, for each sign,

        mean of s³         = 3/2 sum P P' e e' K± e±
        mean of s (ds/dt)² = 1/2 sum P P' e e' K± e± (w² + w'² ± w w')

    because s (ds/dt)² and -s² d²s/dt² / 2 have equal means.
    """
    if not systems:
        return 0.0, 0.0
    depth, kind = systems[0].depth, systems[0].dispersion

    def strain(k: Array) -> Array:
        """Return the strain of a wave of 1 m, blurred."""
        shown = np.maximum(k, 1e-9)
        return np.where(k < cutoff, -shown * orbit_ratio(shown, depth, kind) * np.exp(-((k * blur) ** 2) / 2), 0.0)

    (k, density), (plus, minus, angle) = _rings(systems), _kernels(np.inf if kind == "deep" else depth)
    squares, dot = (k * k)[:, None] + k * k, np.multiply.outer(np.outer(k, k), np.cos(angle))
    sums, differences = (np.sqrt(np.maximum(squares[..., None] + sign * 2 * dot, 0.0)) for sign in (1, -1))
    plus, minus, strained = plus * strain(sums), minus * strain(differences), density * strain(k)[:, None]
    w = angular_frequency(k, depth, kind)
    both, product = np.add.outer(w * w, w * w)[..., None], np.outer(w, w)[..., None]

    def mean(kernel: Array) -> float:
        return float(_coupled(strained, _over_angles(kernel / 2)).sum())

    return 3 * mean(plus + minus), mean(plus * (both + product) + minus * (both - product))


def skewness(systems: Sequence[WaveSystem]) -> float:
    """Return the skewness of the surface by second-order theory."""
    return _skewness(*_pairs(systems)[1:]) if systems else 0.0


def lifts(systems: Sequence[WaveSystem], tiles: Sequence[Tile], size: int) -> tuple[Lift, ...]:
    """Return the lift of each cascade with `size` texels per side, longest tile first."""
    if not systems:
        return (NONE,) * len(tiles)
    steps, powers, coupling = _pairs(systems)
    scale = min(1.0, LARGEST_SKEWNESS / max(abs(_skewness(powers, coupling)), 1e-9))
    depth, kind = systems[0].depth, systems[0].dispersion
    bands = [(steps >= tile.low) & (steps < tile.cutoff(size)) for tile in tiles]
    found = []
    for index, band in enumerate(bands):
        power, k = powers[band], steps[band]
        variance, shorter = float(power.sum()), np.logical_or.reduce([*bands[index + 1 :], np.zeros_like(band)])
        if variance == 0:
            found.append(NONE)
            continue
        ratio = orbit_ratio(k, depth, kind)
        own = scale * float(coupling[np.ix_(band, band)].sum()) / variance / variance
        rest = float(powers[shorter].sum())
        cross = float(coupling[np.ix_(band, shorter)].sum()) / variance / rest if rest else 0.0
        orbit = variance / float(np.sum(ratio**2 * power))
        found.append(Lift(own, scale * cross, orbit, float(np.sum(k * ratio * power)) - own * variance))
    return tuple(found)


def lift(each: Sequence[Lift], waves: Sequence[Array]) -> Array:
    """Return the lift [m] at choppiness 1, (...), of each cascade's waves (h, Dx, Dz) [m], (3, ...), longest first."""
    return sum(one.rise for one in each) + _bilinear(each, waves, waves)


def lift_rate(each: Sequence[Lift], waves: Sequence[Array], rates: Sequence[Array]) -> Array:
    """Return the derivative of `lift`, (...), by any variable, given the derivatives `rates` of the waves, (3, ...)."""
    return _bilinear(each, rates, waves) + _bilinear(each, waves, rates)


def _bilinear(each: Sequence[Lift], first: Sequence[Array], second: Sequence[Array]) -> Array:
    """Return the sum over cascades of `A · (own B / 2 + sum over longer cascades of cross B)`, where A are the first
    waves and B the second ones, with their displacements weighted by `orbit`."""
    total, longer = np.zeros(first[0].shape[1:]), np.zeros_like(first[0])
    for one, A, B in zip(each, first, second, strict=True):
        weighted = np.stack([B[0], one.orbit * B[1], one.orbit * B[2]])
        total = total + np.sum(A * (0.5 * one.own * weighted + longer), axis=0)
        longer = longer + one.cross * weighted
    return np.asarray(total)
