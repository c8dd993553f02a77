"""How much variance the waves of each frequency carry: S(w), one-sided, in m² s.

Each model is a small group of parameters with a `kind`; given wind and fetch it makes a shape, which knows its peak
and its density. Directions, depth and motion are other files' business. To add a model, write its class here with
`shape(speed, fetch)` and name it in `Spectrum`.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from ocean.parameters import Parameters, parameter
from ocean.waves.dispersion import GRAVITY, Array, DispersionKind, wavenumber

GROWN = 1e4
"""Dimensionless fetch g F / U² beyond which a sea is taken as fully grown (JONSWAP's power laws have no end)."""


@dataclass(frozen=True)
class JonswapShape:
    """S(w) of the JONSWAP family: alpha sets the tail, peak_frequency [rad/s] the place, gamma the peak's height.

    gamma = 1 is Pierson and Moskowitz's shape; alpha = 0 is a flat sea.
    """

    alpha: float
    peak_frequency: float
    gamma: float

    def density(self, w: ArrayLike) -> Array:
        """Variance density S(w) [m² s] at angular frequencies w >= 0 [rad/s]; any shape.

        `alpha g² w^-5 exp(-5/4 (wp/w)^4) gamma^r`, `r = exp(-(w - wp)² / (2 s² wp²))`, s = 0.07 up to the peak and
        0.09 above it (Hasselmann et al., JONSWAP, 1973).
        """
        w = np.asarray(w, np.float64)
        if self.alpha == 0:
            return np.zeros_like(w)
        x = np.maximum(w / self.peak_frequency, 0.05)  # the exponential has reached 0 there: exp(-200000)
        narrowness = np.where(x <= 1, 0.5 / 0.07**2, 0.5 / 0.09**2)
        peak = self.gamma ** np.exp(-narrowness * (x - 1) ** 2)
        x4 = x**4
        tail = self.alpha * GRAVITY**2 / self.peak_frequency**5 / (x4 * x)
        return np.asarray(tail * np.exp(-1.25 / x4) * peak)

    def scaled(self, factor: float) -> Self:
        """The same shape with its variance multiplied."""
        return replace(self, alpha=self.alpha * factor)


CALM = 0.01
"""Wind [m/s] below which the water is flat: the sea would be microns high, and 1 / U² has its limits."""

FLAT = JonswapShape(alpha=0.0, peak_frequency=1.0, gamma=1.0)
"""No waves. Its peak is a place holder that keeps formulas finite."""


def jonswap_from_wind(speed: float, fetch: float, gamma: float = 3.3) -> JonswapShape:
    """JONSWAP under wind of U10 = speed [m/s] over a fetch [m]; none of either is a flat sea.

    With `chi = g F / U²`: `alpha = 0.076 chi^-0.22`, `wp = 22 (g / U) chi^(-1/3)` (Hasselmann et al. 1973; mind
    the root, which some write-ups leave out). chi stops at 1e4, where U10 = 10 m/s has raised Hs = 2.16 m.
    """
    if speed < CALM or fetch <= 0:
        return FLAT
    chi = min(GRAVITY * fetch / speed**2, GROWN)
    return JonswapShape(0.076 * chi**-0.22, 22 * GRAVITY / speed * chi ** (-1 / 3), gamma)


def jonswap_from_height(height: float, period: float, gamma: float = 3.3) -> JonswapShape:
    """JONSWAP of significant wave height Hs = 4 sqrt(m0) [m] and peak period Tp [s]; no height is a flat sea."""
    if height <= 0:
        return FLAT
    peak_frequency = 2 * math.pi / period
    alpha = (height / 4) ** 2 * peak_frequency**4 / (GRAVITY**2 * _relative_variance(gamma))
    return JonswapShape(alpha, peak_frequency, gamma)


@lru_cache(maxsize=64)
def _relative_variance(gamma: float) -> float:
    """m0 wp^4 / (alpha g²) of the JONSWAP shape, by the trapezoidal rule over ln(w / wp); the tail left out is 3e-9."""
    logarithm = np.linspace(math.log(0.2), math.log(100), 4001)
    w = np.exp(logarithm)
    return float(np.trapezoid(JonswapShape(GRAVITY**-2, 1.0, gamma).density(w) * w, logarithm))


def kitaigorodskii(w: ArrayLike, depth: float, kind: DispersionKind = "finite-depth") -> Array:
    """What a depth [m] leaves of the deep-water density at angular frequency w [rad/s]: a factor from 0 to 1.

    `tanh²(k d) / (1 + 2 k d / sinh(2 k d))` with k from the dispersion relation itself, not one of its fits
    (Kitaigorodskii et al. 1975; Bouws et al., the TMA spectrum, 1985). In deep water it is 1.
    """
    return depth_factor(wavenumber(w, depth, kind) * depth) if kind != "deep" else np.ones_like(w, np.float64)


def depth_factor(kd: ArrayLike) -> Array:
    """The Kitaigorodskii factor of a relative depth k d >= 0; beyond 20 it is 1 to rounding."""
    kd = np.clip(kd, 1e-9, 20.0)
    return np.asarray(np.tanh(kd) ** 2 / (1 + 2 * kd / np.sinh(2 * kd)))


class Jonswap(Parameters):
    """A growing wind sea (Hasselmann et al. 1973); the higher gamma, the more the waves are of one length."""

    kind: Literal["jonswap"] = "jonswap"
    gamma: float = parameter(3.3, "How much the peak outgrows that of a fully grown sea.", low=1.0, high=7.0)

    def shape(self, speed: float, fetch: float) -> JonswapShape:
        """The shape under wind of U10 = speed [m/s] over a fetch [m]."""
        return jonswap_from_wind(speed, fetch, self.gamma)


class PiersonMoskowitz(Parameters):
    """A fully grown wind sea (Pierson and Moskowitz 1964), whatever the fetch."""

    kind: Literal["pierson-moskowitz"] = "pierson-moskowitz"

    def shape(self, speed: float, fetch: float) -> JonswapShape:
        """The shape under wind of U10 = speed [m/s]; the fetch is taken as endless unless it is 0.

        `S = 8.1e-3 g² w^-5 exp(-0.74 (g / (U19.5 w))^4)`, `U19.5 = 1.026 U10` (Pierson and Moskowitz 1964), whose peak
        lies at `wp = (4 * 0.74 / 5)^(1/4) g / U19.5`.
        """
        if speed < CALM or fetch <= 0:
            return FLAT
        return JonswapShape(8.1e-3, (4 * 0.74 / 5) ** 0.25 * GRAVITY / (1.026 * speed), 1.0)


Spectrum = Annotated[Jonswap | PiersonMoskowitz, Field(discriminator="kind")]
"""Any of the models, told apart by `kind`: the type of a settings field."""
