"""The unified spectrum of Elfouhaily, Chapron, Katsaros and Vandemark (1997), from the peak down to ripples.

It is given over wave numbers. Of all models here only its slopes match the sea's (Cox and Munk 1954).
"""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ocean.waves.dispersion import GRAVITY, Array
from ocean.waves.spectra.shapes import SpectrumModel, WaveNumberShape
from ocean.waves.spreading import CALM, RIPPLE_SPEED, RIPPLE_WAVENUMBER, friction_velocity, phase_speed

GROWN = 0.84
"""Inverse wave age U10 / cp of a fully grown sea."""

YOUNGEST = 5.0
"""Inverse wave age of the youngest sea in the model's range."""


@dataclass(frozen=True)
class ElfouhailyShape(WaveNumberShape):
    """The spectrum under a wind of U10 = speed [m/s], at an inverse wave age U10 / cp; flat without wind."""

    is_damped_in_light_wind: ClassVar[bool] = True

    speed: float
    inverse_age: float

    @property
    def is_flat(self) -> bool:
        return self.speed < CALM

    @property
    def peak_frequency(self) -> float:  # type: ignore[override]
        """`wp = g Omega / U`, that is, kp = g (Omega / U)²."""
        return 1.0 if self.is_flat else GRAVITY * self.inverse_age / self.speed

    def saturation(self, k: Array) -> Array:
        """Return B = Bl + Bh [1] at wave numbers k > 0 [rad/m] (eqs. 31 to 44, with Omega for the inverse wave age).

        Long waves: `Bl = 0.003 sqrt(Omega) cp / c L J exp(-Omega / sqrt(10) (sqrt(k / kp) - 1))` with the cut of
        Pierson and Moskowitz, `L = exp(-5/4 (kp / k)²)`, and the peak of JONSWAP, `J = gamma^exp(-(sqrt(k / kp) - 1)² /
        (2 s²))`, `s = 0.08 (1 + 4 / Omega³)`, `gamma = 1.7 + 6 max(0, log10 Omega)`.
        Ripples: `Bh = am / 2 cm / c exp(-1/4 (k / km - 1)²) L` with `am = 0.01 (1 + ln(u* / cm))`, thrice the logarithm
        where u* > cm, and none at all where that is negative. Without L ripples would make the sea 8 to 21 m high.
        """
        if self.is_flat:
            return np.zeros_like(k)
        age, peak = self.inverse_age, GRAVITY * (self.inverse_age / self.speed) ** 2
        root, speed = np.sqrt(k / peak), phase_speed(k)
        cut = np.exp(-1.25 / root**4)
        width = 0.08 * (1 + 4 / age**3)
        gamma = 1.7 + 6 * max(0.0, math.log10(age))
        enhancement = gamma ** np.exp(-((root - 1) ** 2) / (2 * width**2))
        side = np.exp(-age / math.sqrt(10) * (root - 1))
        long = 0.003 * math.sqrt(age) * float(phase_speed(peak)) / speed * enhancement * side
        excess = math.log(friction_velocity(self.speed, age) / RIPPLE_SPEED)
        strength = max(0.0, 0.01 * (1 + (excess if excess < 0 else 3 * excess)))
        ripples = 0.5 * strength * RIPPLE_SPEED / speed * np.exp(-0.25 * (k / RIPPLE_WAVENUMBER - 1) ** 2)
        return np.asarray(cut * (long + ripples))


class Elfouhaily(SpectrumModel):
    """A wind sea from its peak down to ripples, with the slopes that glitter shows (Elfouhaily et al. 1997)."""

    kind: Literal["elfouhaily"] = "elfouhaily"
    needs_wind: ClassVar[bool] = True

    def shape(self, speed: float, fetch: float) -> ElfouhailyShape:
        """Return the shape under a wind of U10 = speed [m/s] over a fetch F [m], which sets the inverse wave age:

        `Omega = 0.84 tanh((g F / U² / 22000)^0.4)^(-3/4)` (eq. 37), from 0.84 of a fully grown sea to 5 at most.
        """
        if speed < CALM or fetch <= 0:
            return ElfouhailyShape(0.0, GROWN)
        chi = GRAVITY * fetch / speed**2
        return ElfouhailyShape(speed, min(GROWN * math.tanh((chi / 2.2e4) ** 0.4) ** -0.75, YOUNGEST))
