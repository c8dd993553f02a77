"""Measurements of a running sea: moments of its maps, and the variance along each wave vector.

`Moments` are means over the maps; `shaders/statistics` computes the same sums on the GPU. A `Periodogram` comes from
two pictures of the height, because one can't separate k from -k: between two, waves along k turn by e^{-iwt} and waves
along -k by e^{+iwt}, so there are two equations for two amplitudes. Neither depends on the expected spectrum.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.sea.blend import Cascade
from ocean.waves.amplitudes import wave_numbers
from ocean.waves.dispersion import Array, group_speed, orbit_ratio, phase
from ocean.waves.second_order import NONE, Lift, lift
from ocean.waves.statistics import peak_period
from ocean.waves.systems import unit

SAMPLES = 1 << 16  # points over which the Jacobian is averaged, for a deviation to within 0.3 %

UInts = NDArray[np.uint32]


def pcg(v: UInts) -> UInts:
    """Return a hash of 32 bits (Jarzynski and Olano, Hash Functions for GPU Rendering, 2020)."""
    state = v * np.uint32(747796405) + np.uint32(2891336453)
    word = ((state >> ((state >> np.uint32(28)) + np.uint32(4))) ^ state) * np.uint32(277803737)
    return np.asarray((word >> np.uint32(22)) ^ word, np.uint32)


def random_texels(cascade: int, size: int, turn: int = 0) -> tuple[UInts, UInts]:
    """Return row and column of a random texel of a cascade for each point; `turn` counts the measurements."""
    number = np.arange(SAMPLES, dtype=np.uint32) + np.uint32((turn * 8 + cascade) * SAMPLES % 2**32)
    column = pcg(number)
    return pcg(column) % np.uint32(size), column % np.uint32(size)


@dataclass(frozen=True, eq=False)
class Moments:
    """Means over the maps.

    `height` holds the means of h, h², h³, h⁴ [m to m⁴], (cascade, 4), and `slope` the means of hx², hz², hx hz,
    (cascade, 3). The others hold means over random points: `fold` of s, s², d, d², s d, (5,), for s = Dxx + Dzz and
    d = Dxx Dzz - Dxz² at choppiness 1; `surface` of J, J y, J y², J y³, J y⁴ and J where y is above a level, (6,), for
    the height y of the surface.
    """

    height: Array
    slope: Array
    fold: Array
    surface: Array

    @property
    def variance(self) -> float:
        """Variance of the height [m²]: the sum over cascades, which carry different waves."""
        return float(self.height[:, 1].sum())

    def slope_variance(self, direction: float) -> tuple[float, float]:
        """Return the variance of the slope along and across a direction [degrees]."""
        x, z = unit(direction)
        xx, zz, xz = (float(part) for part in self.slope.sum(axis=0))
        return x * x * xx + z * z * zz + 2 * x * z * xz, z * z * xx + x * x * zz - 2 * x * z * xz

    def jacobian_deviation(self, choppiness: float) -> float:
        """Return the standard deviation of `J = 1 + c s + c² d`, at any choppiness c."""
        s, ss, d, dd, sd = (float(mean) for mean in self.fold)
        c = choppiness
        variance = c**2 * (ss - s * s) + 2 * c**3 * (sd - s * d) + c**4 * (dd - d * d)
        return math.sqrt(max(variance, 0.0))

    @property
    def level(self) -> float:
        """Mean height of the displaced surface [m]: troughs have more area than crests."""
        return float(self.surface[1] / self.surface[0])

    @property
    def above(self) -> float:
        return float(self.surface[5] / self.surface[0])

    @property
    def shape(self) -> tuple[float, float]:
        """Skewness and kurtosis of the height of the displaced surface."""
        mean, second, third, fourth = self.surface[1:5] / self.surface[0]
        variance = second - mean**2
        if variance <= 0:
            return 0.0, 3.0
        skewed = third - 3 * mean * second + 2 * mean**3
        peaked = fourth - 4 * mean * third + 6 * mean**2 * second - 3 * mean**4
        return float(skewed / variance**1.5), float(peaked / variance**2)


def field_moments(
    fields: Mapping[str, NDArray[np.floating[Any]]],
    turn: int = 0,
    lifts: Sequence[Lift] = (),
    choppiness: float = 1.0,
    level: float = 0.0,
) -> Moments:
    """Return the moments of the eight fields, each (cascade, size, size). `lifts` has each cascade's lift (default:
    none), and `level` [m] is the level of `Moments.surface`."""

    def mean(field: Array) -> Array:
        return np.asarray(field.mean(axis=(1, 2)))

    h, hx, hz = (np.asarray(fields[name], np.float64) for name in ("height", "slope_x", "slope_z"))
    texels = [random_texels(cascade, h.shape[1], turn) for cascade in range(len(h))]
    names = "height", "dx", "dz", "dxx", "dzz", "dxz"
    found = np.array([[fields[name][i][place] for name in names] for i, place in enumerate(texels)], np.float64)
    waves, (dxx, dzz, dxz) = list(found[:, :3]), found[:, 3:].sum(axis=0)
    y = found[:, 0].sum(axis=0) + choppiness * lift(lifts or [NONE] * len(waves), waves)
    s, d = dxx + dzz, dxx * dzz - dxz**2
    J = 1 + choppiness * s + choppiness**2 * d
    return Moments(
        np.stack([mean(h**power) for power in (1, 2, 3, 4)], axis=-1),
        np.stack([mean(hx * hx), mean(hz * hz), mean(hx * hz)], axis=-1),
        np.array([np.mean(x) for x in (s, s * s, d, d * d, s * d)]),
        np.array([np.mean(J * x) for x in (1, y, y**2, y**3, y**4, y > level)]),
    )


class Lattice:
    """The wave vectors k of one cascade of `size` texels per side for which k or -k carries variance, as 1-D arrays."""

    def __init__(self, cascade: Cascade) -> None:
        key, variance, size = cascade.key, cascade.variance, cascade.key.size
        self.tile, self.size, self.period = key.tile, size, key.period
        rows, columns = np.nonzero(variance)
        both = np.unique(np.concatenate([rows * size + columns, -rows % size * size + -columns % size]))
        rows, columns = both // size, both % size
        n = wave_numbers(size).astype(np.int64)
        self.nx, self.nz = n[columns], n[rows]  # in tile axes
        self.k: Array = self.tile.dk * np.hypot(self.nx, self.nz)  # rad/m
        self.direction = self.tile.to_world(*(self.tile.dk * n / self.k for n in (self.nx, self.nz)))  # x, z
        self.steps = cascade.steps[rows, columns]  # turns in `period` [s]
        self.w = self.steps.astype(np.float64) * (2 * np.pi / self.period)  # rad/s
        self.speed = group_speed(self.k, key.depth, key.dispersion)  # m/s
        self.orbit = orbit_ratio(self.k, key.depth, key.dispersion)
        self.power = variance[rows, columns].astype(np.float64)  # Psi(k) dk² [m²]
        self.opposite = variance[-rows % size, -columns % size].astype(np.float64)  # Psi(-k) dk²
        self.pair: Array = (self.power + self.opposite) / 2
        """Mean power of k and -k [m²]: the expected |H(k)|² of a field."""
        self.fold_weight: Array = np.square(self.k * self.orbit)
        """Weight `k² coth²(kd)` [rad²/m²] of a wave's variance in the Jacobian's, to first order."""

    def folded(self, values: Array, side: int) -> Array:
        """Return the values of the wave vectors added up on the lattice of a map with `side` texels, (side, side) in
        FFT order: every (size / side)-th texel of a field has this spectrum."""
        places = self.nz % side * side + self.nx % side
        return np.asarray(np.bincount(places, values, side * side), np.float64).reshape(side, side)

    def picked(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return, at these wave vectors, the values of an array over the wave vectors of a smaller map, (side, side) in
        FFT order."""
        return np.asarray(values[self.nz % len(values), self.nx % len(values)])


def lossless_side(size: int, reach: int) -> int:
    """Return the smallest divisor of `size` that, as texels per side, shows all waves of up to `reach` wave numbers of
    a tile."""
    return next(side for side in range(2, size + 1, 2) if size % side == 0 and side > 2 * reach)


LEAST_TURN = 0.02
"""Smallest sine of a wave's turn between two pictures (modulo half a turn) that separates its two directions. It
amplifies the 1e-6 error of float32 maps to 1e-4."""

RING_GROWTH = 1.06
"""Ratio of the radii of successive rings: a twelfth of an octave. Rings are at least one spacing wide."""


def travelling_power(
    lattice: Lattice, first: NDArray[np.floating[Any]], second: NDArray[np.floating[Any]], ticks: int
) -> Array:
    """Return the variance [m²] along each wave vector, from the height on every n-th texel (side, side) at two times
    that are `ticks` of the clock apart; nan where the two directions can't be separated.

    With `H1 = a + b` and `H2 = a e^{-iwt} + b e^{iwt}`, `a = i (H2 - H1 e^{iwt}) / (2 sin wt)`, and a wave a adds
    2 |a|² to the variance, as a mean over time: its amplitude at -k is the conjugate of a.
    """
    before, after = (lattice.picked(np.fft.fft2(np.asarray(h, np.float64), norm="forward")) for h in (first, second))
    turn = phase(lattice.steps, ticks)
    sine = np.sin(turn)
    separable = np.abs(sine) > LEAST_TURN
    along = (after - before * np.exp(1j * turn)) / (2 * np.where(separable, sine, 1.0))
    return np.where(separable, 2 * np.abs(along) ** 2, np.nan)


@dataclass(frozen=True, eq=False)
class Rings:
    """The frequency spectrum S(w) [m² s] of a sea, by rings of its lattices. For each ring: frequency w [rad/s],
    density, width on the frequency axis [rad/s], and the number of waves of equal power with the same scatter."""

    w: Array
    density: Array
    width: Array
    waves: Array

    @property
    def peak_period(self) -> float:
        """Peak period [s], `integral of w S⁴ / integral of S⁴` (Young 1995), which scatters less than the highest ring;
        0 without waves."""
        return peak_period(self.w, self.density, self.width)

    def peak_near(self, w: float) -> float:
        """Return Young's estimate [s] of all rings within half an octave of a frequency w [rad/s]; 0 without waves."""
        near = np.abs(np.log2(self.w / w)) <= 0.5
        return peak_period(self.w[near], self.density[near], self.width[near])

    @property
    def mean_period(self) -> float:
        """Mean period Tm02 [s], `2 pi sqrt(m0 / m2)`; 0 without waves."""
        moments = [float(np.sum(self.w**power * self.density * self.width)) for power in (0, 2)]
        return 2 * math.pi * math.sqrt(moments[0] / moments[1]) if moments[1] > 0 else 0.0


@dataclass(frozen=True, eq=False)
class Periodogram:
    """The variance [m²] along each wave vector of each cascade; nan where it is unknown."""

    lattices: tuple[Lattice, ...]
    powers: tuple[Array, ...]

    @cached_property
    def rings(self) -> Rings:
        """Densities over rings. A ring holds the mean of Psi over its wave vectors, times 2 pi k / (dw/dk), so that the
        number of lattice points in it makes no difference."""
        parts = []
        for lattice, power in zip(self.lattices, self.powers, strict=True):
            radius, dk = lattice.k / lattice.tile.dk, lattice.tile.dk
            ring = np.digitize(radius, ring_edges(float(radius.max(initial=1.0)))) - 1
            known = np.isfinite(power)
            shown = np.where(known, power, 0.0)
            each = np.ones_like(power), known, shown, shown**2, lattice.k, lattice.w, lattice.speed
            n, known_n, total, squares, *sums = (np.bincount(ring, values) for values in each)
            with np.errstate(invalid="ignore", divide="ignore"):
                per_wave, waves = total / known_n, total**2 / squares
                k, w, speed = (values / n for values in sums)
            density = per_wave / dk**2 * 2 * np.pi * k / speed
            # The width of a ring whose points spread evenly over all angles.
            width = n * dk**2 / (2 * np.pi * k) * speed
            parts.append(np.stack([w, density, width, waves])[:, known_n > 0])
        joined = np.concatenate(parts, axis=1) if parts else np.zeros((4, 0))
        return Rings(*np.ascontiguousarray(joined[:, np.argsort(joined[0])]))

    def direction(self) -> float:
        """Return the mean direction [degrees], clockwise from north, towards which the waves run: the direction of the
        sum of all unit vectors, each times its power."""
        pairs = [(lattice.direction, power) for lattice, power in zip(self.lattices, self.powers, strict=True)]
        x, z = (sum(float(np.nansum(power * way[axis])) for way, power in pairs) for axis in (0, 1))
        return math.degrees(math.atan2(x, -z)) % 360


def ring_edges(last: float) -> Array:
    """Return the radii between rings, in spacings of the lattice."""
    edges = [0.5]
    while edges[-1] <= last:
        edges.append(max(edges[-1] + 1, edges[-1] * RING_GROWTH))
    return np.array(edges)
