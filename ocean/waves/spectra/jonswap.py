"""JONSWAP and its relatives: Pierson and Moskowitz's fully grown sea, and TMA in water of finite depth.

All three are one shape in alpha, peak frequency and gamma, which follow from wind and fetch, or from height and period.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from ocean.common.parameters import parameter
from ocean.waves.dispersion import GRAVITY, Array, DispersionKind
from ocean.waves.special import root
from ocean.waves.spectra.shapes import STILL, FrequencyShape, SpectrumModel, kitaigorodskii
from ocean.waves.spreading import CALM

GROWN = 1e4
"""Dimensionless fetch g F / U² from which a sea is fully grown: JONSWAP's power laws have no end."""


@dataclass(frozen=True)
class JonswapShape(FrequencyShape):
    """S(w) of the JONSWAP family: alpha sets the tail, peak_frequency [rad/s] the position of the peak, gamma its
    height.

    gamma = 1 is Pierson and Moskowitz's shape; alpha = 0 is a flat sea.
    """

    is_damped_in_light_wind: ClassVar[bool] = True

    alpha: float
    peak_frequency: float
    gamma: float

    @property
    def is_flat(self) -> bool:
        return self.alpha < STILL

    def density(self, w: ArrayLike) -> Array:
        """Return the variance density S(w) [m² s] in deep water at angular frequencies w >= 0 [rad/s]; any shape.

        `alpha g² w^-5 exp(-5/4 (wp/w)^4) gamma^r`, `r = exp(-(w - wp)² / (2 s² wp²))`, s = 0.07 up to the peak and
        0.09 above it (Hasselmann et al., JONSWAP, 1973).
        """
        w = np.asarray(w, np.float64)
        if self.is_flat:
            return np.zeros_like(w)
        x = np.maximum(w / self.peak_frequency, 0.05)  # below, the exponential is 0: exp(-200000)
        narrowness = np.where(x <= 1, 0.5 / 0.07**2, 0.5 / 0.09**2)
        peak = self.gamma ** np.exp(-narrowness * (x - 1) ** 2)
        x4 = x**4
        tail = self.alpha * GRAVITY**2 / self.peak_frequency**5 / (x4 * x)
        return np.asarray(tail * np.exp(-1.25 / x4) * peak)


FLAT = JonswapShape(alpha=0.0, peak_frequency=1.0, gamma=1.0)
"""No waves. The peak frequency only keeps formulas finite."""


def jonswap_from_wind(speed: float, fetch: float, gamma: float = 3.3) -> JonswapShape:
    """Return JONSWAP under a wind of U10 = speed [m/s] over a fetch [m]; flat if either is 0.

    With `chi = g F / U²`: `alpha = 0.076 chi^-0.22`, `wp = 22 (g / U) chi^(-1/3)` (Hasselmann et al. 1973; some texts
    leave out the root). chi stops at 1e4, where U10 = 10 m/s has raised Hs = 2.16 m.
    """
    if speed < CALM or fetch <= 0:
        return FLAT
    chi = min(GRAVITY * fetch / speed**2, GROWN)
    return JonswapShape(0.076 * chi**-0.22, 22 * GRAVITY / speed * chi ** (-1 / 3), gamma)


def jonswap_from_height(
    height: float, period: float, gamma: float = 3.3, depth: float = math.inf, kind: DispersionKind = "deep"
) -> JonswapShape:
    """Return JONSWAP of significant wave height Hs = 4 sqrt(m0) [m] and peak period Tp [s]; flat for Hs = 0.

    Both hold at this depth [m]: the shape is the deep-water sea that has them after the depth factor.
    """
    if height <= 0:
        return FLAT
    peak_frequency = 2 * math.pi / period
    if kind != "deep":
        peak_frequency *= _shift_of_peak(peak_frequency, gamma, depth, kind)
    relative = _relative_variance(peak_frequency, gamma, depth, kind)
    alpha = (height / 4) ** 2 * peak_frequency**4 / (GRAVITY**2 * relative)
    return JonswapShape(alpha, peak_frequency, gamma)


@lru_cache(maxsize=64)
def _relative_variance(peak_frequency: float, gamma: float, depth: float, kind: DispersionKind) -> float:
    """Return m0 wp^4 / (alpha g²) of the JONSWAP shape with the factor of a depth [m], by the trapezoidal rule over
    ln(w / wp); the tail beyond is 3e-9."""
    logarithm = np.linspace(math.log(0.2), math.log(100), 4001)
    x = np.exp(logarithm)
    density = JonswapShape(GRAVITY**-2, 1.0, gamma).density(x) * kitaigorodskii(x * peak_frequency, depth, kind)
    return float(np.trapezoid(density * x, logarithm))


@lru_cache(maxsize=64)
def _shift_of_peak(w: float, gamma: float, depth: float, kind: DispersionKind) -> float:
    """Return the ratio of the deep-water peak to a wanted peak w [rad/s] at this depth [m], from 0.6 to 1.

    The depth factor grows with w, so that the peak of the product lies above the shape's peak, where `d ln S / d ln w
    + d ln phi / d ln w = 0`. The first term runs from 0 at the shape's own peak to -5, the second one lies between 0 in
    deep water and 2 in shallow water.
    """
    e = 1e-4
    below, above = np.log(kitaigorodskii(np.array([w * (1 - e), w * (1 + e)]), depth, kind))
    growth = float(above - below) / (2 * e)

    def slope(ratio: float) -> float:
        x = 1 / ratio
        peak = math.log(gamma) * math.exp(-((x - 1) ** 2) / (2 * 0.09**2))
        return 5 * (ratio**4 - 1) - peak * (x - 1) * x / 0.09**2 + growth

    return root(slope, 0.6, 1.0) if growth > 1e-9 else 1.0


class Jonswap(SpectrumModel):
    """A growing wind sea (Hasselmann et al. 1973); a higher gamma narrows the range of wavelengths.

    In light winds the sea's tail lies below the formula: at 3 m/s 0.75 of it at three times the peak frequency and 0.33
    at five times, so that slopes match Cox and Munk's.
    """

    kind: Literal["jonswap"] = "jonswap"
    gamma: float = parameter(3.3, "Height of the peak over that of a fully grown sea.", low=1.0, high=7.0)

    def shape(self, speed: float, fetch: float) -> JonswapShape:
        return jonswap_from_wind(speed, fetch, self.gamma)

    def shape_of_height(self, height: float, period: float, depth: float, kind: DispersionKind) -> JonswapShape:
        return jonswap_from_height(height, period, self.gamma, depth, kind)


class Tma(Jonswap):
    """JONSWAP in water of finite depth (Bouws et al. 1985), which damps the long waves.

    The factor is `kitaigorodskii`, which all spectra get if the dispersion depends on the depth. So this sea equals
    `jonswap`; `dispersion = deep` is refused.
    """

    kind: Literal["tma"] = "tma"  # type: ignore[assignment]
    needs_bottom: ClassVar[bool] = True


class PiersonMoskowitz(SpectrumModel):
    """A fully grown wind sea (Pierson and Moskowitz 1964), for any fetch."""

    kind: Literal["pierson-moskowitz"] = "pierson-moskowitz"

    def shape(self, speed: float, fetch: float) -> JonswapShape:
        """Return the shape under a wind of U10 = speed [m/s]; every fetch above 0 counts as endless.

        `S = 8.1e-3 g² w^-5 exp(-0.74 (g / (U19.5 w))^4)`, `U19.5 = 1.026 U10` (Pierson and Moskowitz 1964), whose peak
        lies at `wp = (4 * 0.74 / 5)^(1/4) g / U19.5`.
        """
        if speed < CALM or fetch <= 0:
            return FLAT
        return JonswapShape(8.1e-3, (4 * 0.74 / 5) ** 0.25 * GRAVITY / (1.026 * speed), 1.0)

    def shape_of_height(self, height: float, period: float, depth: float, kind: DispersionKind) -> JonswapShape:
        """Return this form with the alpha and the peak of height and period (Bretschneider 1959)."""
        return jonswap_from_height(height, period, 1.0, depth, kind)
