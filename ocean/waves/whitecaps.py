"""Whitecaps: how much of the water foam covers, and how low the Jacobian has to fall for foam to be born.

Observation says the first, the statistics of the sea the second. The foam itself is `twin.foam_step`.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

MOST_FOAM = 0.9
"""The most of the water that foam is made to cover."""

MODEL_DEVIATION = 0.15
"""TODO"""


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
