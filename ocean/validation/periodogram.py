"""The spectrum of a running sea from two pictures of it: the variance along each wave vector.

One picture of the height can't separate k from -k. Two pictures can: waves along k have turned by e^{-iwt} and waves
along -k by e^{+iwt}, which gives two equations for two amplitudes. Knows nothing of the expected spectrum.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.validation.lattice import Lattice
from ocean.waves.dispersion import Array, phase
from ocean.waves.statistics import peak_period

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
    """The frequency spectrum S(w) [m² s] of a sea, by rings of its lattices.

    For each ring: frequency w [rad/s], density, width on the frequency axis [rad/s], and the number of waves of equal
    power with the same scatter.
    """

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
        """Densities over rings.

        A ring holds the mean of Psi over its wave vectors, times 2 pi k / (dw/dk), so that the number of lattice points
        in it makes no difference.
        """
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
