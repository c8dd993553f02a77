"""A wave system: one wind sea or one swell, with its spectrum, spread, direction and water depth.

Puts the models of spectra and spreading together into the density over wave vectors, Psi(kx, kz). A sea is a sum of
systems. Axes: x east, z south; directions are degrees clockwise from north, towards which the waves run.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ocean.waves.dispersion import Array, DispersionKind, angular_frequency, group_speed
from ocean.waves.spectra import (
    Jonswap,
    JonswapShape,
    PiersonMoskowitz,
    depth_factor,
    jonswap_from_height,
    kitaigorodskii,
)
from ocean.waves.spreading import Cos2s, Hasselmann

SWELL_GAMMA = 6.0
"""Peak enhancement of swell: its waves have sorted themselves by length on their way (Goda 1985: 3 to 10)."""

SWELL_SPREADING = Cos2s(s=50.0)
"""Spread of swell: 11 degrees to either side (Goda 1985: s from 25 to 75)."""


def unit(direction: float) -> tuple[float, float]:
    """Unit vector (x, z) of a direction [degrees]: north is -z, east is +x."""
    angle = math.radians(direction)
    return math.sin(angle), -math.cos(angle)


@dataclass(frozen=True)
class WaveSystem:
    """One wind sea or swell. Direction in degrees, depth in m, wind_speed U10 in m/s (0 for swell)."""

    direction: float
    depth: float
    dispersion: DispersionKind
    shape: JonswapShape
    spreading: Hasselmann | Cos2s
    wind_speed: float = 0.0

    @property
    def is_flat(self) -> bool:
        """Whether there are no waves at all."""
        return self.shape.alpha == 0

    @property
    def peak_frequency(self) -> float:
        """Angular frequency [rad/s] of the spectrum's peak in deep water."""
        return self.shape.peak_frequency

    def density(self, w: ArrayLike) -> Array:
        """Variance density S(w) [m² s] at angular frequencies w [rad/s]; with the depth factor."""
        return self.shape.density(w) * kitaigorodskii(w, self.depth, self.dispersion)

    def spread(self, w: ArrayLike, theta: ArrayLike) -> Array:
        """D(w, theta) [1/rad] at angle theta [rad] from the mean direction; integrates to 1 over theta."""
        return self.spreading.density(w, theta, self.peak_frequency, self.wind_speed)

    def wave_number_density(self, k: ArrayLike) -> Array:
        """Variance density over wave numbers k > 0 [rad/m], all directions together: `S(w) dw/dk` [m³]."""
        k = np.asarray(k, np.float64)
        density = self.shape.density(angular_frequency(k, self.depth, self.dispersion))
        if self.dispersion != "deep":
            density *= depth_factor(k * self.depth)
        return density * group_speed(k, self.depth, self.dispersion)

    def radial(self, k: ArrayLike) -> tuple[Array, Array]:
        """What Psi needs of each wave number k > 0 [rad/m]: the factor `S Q (dw/dk) / k` [m^4] and the exponent s.

        `Psi = factor * spreading.profile(cos theta, s)`; so only the profile is evaluated for every wave vector.
        """
        k = np.asarray(k, np.float64)
        w = angular_frequency(k, self.depth, self.dispersion)
        s = self.spreading.exponent(w, self.peak_frequency, self.wind_speed)
        return self.wave_number_density(k) * self.spreading.norm(s) / k, s

    def wave_vector_density(self, kx: ArrayLike, kz: ArrayLike) -> Array:
        """Variance density over wave vectors, `Psi = S(w) D(w, theta) (dw/dk) / k` [m^4]; 0 at k = 0.

        kx and kz [rad/m] are in world axes and broadcast. The Jacobian turns dw dtheta into dkx dkz (Horvath,
        Empirical directional wave spectra for computer graphics, 2015).
        """
        k = np.hypot(kx, kz)
        moving = np.where(k > 0, k, 1.0)
        x, z = unit(self.direction)
        factor, s = self.radial(moving)
        cosine = (x * np.asarray(kx) + z * np.asarray(kz)) / moving
        return np.where(k > 0, factor * self.spreading.profile(cosine, s), 0.0)


def wind_sea(
    speed: float,
    direction: float,
    fetch: float,
    depth: float,
    spectrum: Jonswap | PiersonMoskowitz,
    spreading: Hasselmann | Cos2s,
    dispersion: DispersionKind = "finite-depth",
) -> WaveSystem:
    """The sea that a wind of U10 = speed [m/s] towards a direction [degrees] raises over a fetch [m]."""
    return WaveSystem(direction, depth, dispersion, spectrum.shape(speed, fetch), spreading, speed)


def swell(
    height: float, period: float, direction: float, depth: float, dispersion: DispersionKind = "finite-depth"
) -> WaveSystem:
    """Waves from elsewhere, of significant height Hs [m] and peak period Tp [s], at this depth [m].

    The height is the one that is left at this depth.
    """
    shape = jonswap_from_height(height, period, SWELL_GAMMA)
    deep = WaveSystem(direction, depth, dispersion, shape, SWELL_SPREADING)
    if deep.is_flat or dispersion == "deep":
        return deep
    logarithm = np.log(deep.peak_frequency) + np.linspace(math.log(0.2), math.log(100), 4001)
    w = np.exp(logarithm)
    remaining = np.trapezoid(deep.density(w) * w, logarithm) / (height / 4) ** 2
    return replace(deep, shape=shape.scaled(1 / float(remaining)))
