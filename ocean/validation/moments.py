"""Averages over the maps of a sea: the numpy twin of the reductions in `shaders/statistics`.

Averages over a map are exact. The Jacobian belongs to no single map. It is averaged over random points, each a random
texel of every cascade: tiles are incommensurate, so that every combination of texels occurs somewhere in the world.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.waves.dispersion import Array
from ocean.waves.second_order import NONE, Lift, lift
from ocean.waves.systems import unit

SAMPLES = 1 << 16
"""Points over which the Jacobian is averaged, for a deviation to within 0.3 %."""

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
