"""The wind close to the water, from the spectrum and the spread of Elfouhaily et al. (1997)."""

import math

import numpy as np
from numpy.typing import ArrayLike

from ocean.waves.dispersion import GRAVITY, Array

CALM = 0.01
"""Wind [m/s] below which the water is flat: waves would be microns high, and 1 / U² would overflow."""

STRONGEST = 20.0
"""Wind [m/s] up to which Cox and Munk's lines are extrapolated; they were measured up to 14 m/s."""

RIPPLE_WAVENUMBER = 370.0
"""Wave number [rad/m] at which waves are slowest, between gravity and surface tension (Elfouhaily's k_m)."""

RIPPLE_SPEED = 0.23
"""Phase speed [m/s] at that wave number (Elfouhaily's c_m)."""


def phase_speed(k: ArrayLike) -> Array:
    """Return the phase speed [m/s] of waves of wave number k > 0 [rad/m] in deep water: `sqrt(g / k (1 + (k /
    370)²))`."""
    k = np.asarray(k, np.float64)
    return np.asarray(np.sqrt(GRAVITY / k * (1 + (k / RIPPLE_WAVENUMBER) ** 2)))


def friction_velocity(speed: float, inverse_age: float) -> float:
    """Return the friction velocity u* [m/s] of a wind of U10 = speed > 0 [m/s] over a sea of inverse wave age U10 / cp.

    `u* = 0.41 U / ln(10 / z0)`, `z0 = 3.7e-5 U² / g (U / cp)^0.9` (Elfouhaily et al. 1997, eqs. 60 and 66, the
    roughness after Donelan et al. 1993).
    """
    roughness = 3.7e-5 * speed**2 / GRAVITY * inverse_age**0.9
    return 0.41 * speed / math.log(10 / roughness)


def measured_slopes(speed: float) -> tuple[float, float]:
    """Return the slope variance along and across a wind of `speed` [m/s] on clean water: 0.00316 U and 0.003 + 0.00192
    U (Cox and Munk 1954), with the constant rising from 0 without wind to its value at 1 m/s."""
    u = min(max(speed, 0.0), STRONGEST)
    return 0.00316 * u, 0.003 * min(u, 1.0) + 0.00192 * u
