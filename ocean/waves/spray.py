"""Spray: the sizes, speeds and numbers of drops that the wind and rollers tear from breaking crests, in float64."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ocean.waves.dispersion import GRAVITY, Array

AIR_VISCOSITY = 1.48e-5  # m²/s, kinematic, at 15 °C
WATER_OVER_AIR = 1025 / 1.225  # ratio of densities
DRAG, DRAG_POWER = 0.15, 0.687  # drag / Stokes' drag: 1 + DRAG Re^DRAG_POWER (Schiller and Naumann 1933), to Re = 1000
SPUME_FROM, SPUME_FULL = 9.0, 11.0  # m/s: winds at which crests begin to be torn (Monahan et al. 1986), and all are
RADII = np.geomspace(20e-6, 2e-3, 2000)  # m, of drops as they form
KARMAN = 0.4
SLIP = 0.3  # ratio of the airspeed at which drag is evaluated to the speed with which drops are torn off


def drag_factor(slip: ArrayLike, diameter: ArrayLike) -> Array:
    """Return the ratio of a sphere's drag to Stokes' drag, for its airspeed [m/s] and its diameter [m]."""
    return np.asarray(1 + DRAG * (np.asarray(slip) * diameter / AIR_VISCOSITY) ** DRAG_POWER)


def stokes_time(diameter: ArrayLike) -> Array:
    """Return the time [s] in which a slow drop takes on 1 - 1/e of the air's velocity."""
    return np.asarray(WATER_OVER_AIR * np.square(diameter) / (18 * AIR_VISCOSITY))


def terminal_speed(diameter: ArrayLike) -> Array:
    """Return the speed [m/s] at which drops fall through still air."""
    weight = GRAVITY * (1 - 1 / WATER_OVER_AIR) * stokes_time(diameter)
    low, high = np.zeros_like(weight), weight
    for _ in range(60):  # bisection: the drag at a speed grows with the speed
        middle = 0.5 * (low + high)
        is_fast = middle * drag_factor(middle, diameter) > weight
        low, high = np.where(is_fast, low, middle), np.where(is_fast, middle, high)
    return np.asarray(0.5 * (low + high))


def relaxation_time(diameter: ArrayLike, slip: float) -> Array:
    """Return the time [s] in which a drop with this speed relative to the air [m/s] loses 1 - 1/e of it, if the drag
    falls in proportion to it."""
    return np.asarray(stokes_time(diameter) / drag_factor(np.maximum(slip, terminal_speed(diameter)), diameter))


def source(radius: ArrayLike) -> Array:
    """Return the number of drops by radius at formation [m], that a square metre of whitecaps emits in a second
    [1/(m³ s)].

    The spume of Andreas (1992), divided by the whitecaps at 11 m/s (Fairall et al. 1994).
    """
    micrometres = np.asarray(radius, np.float64) * 1e6
    equilibrium = 0.518 * micrometres**0.976  # radius at a humidity of 80 %
    small, middle, large = 1.02e4 / equilibrium, 6.95e6 * equilibrium**-2.8, 1.75e17 * equilibrium**-8.0
    density = np.where(equilibrium < 37, small, np.where(equilibrium < 100, middle, large))
    whitecaps = 3.8e-6 * 11**3.4
    return np.asarray(density / whitecaps * 0.506 * micrometres**-0.024 * 1e6)


class Drops(NamedTuple):
    """Diameters [m] that divide the drops of whitecaps into classes of equal cross-section, the smallest first."""

    diameters: Array
    emitted: float  # cross-section [m²] of all drops that a square metre of whitecaps emits in a second


def drops(classes: int) -> Drops:
    """Return the drops of whitecaps; 1 % of their cross-section is left out at either end."""
    section = np.pi * RADII**2 * source(RADII)
    summed = np.append(0.0, np.cumsum(0.5 * (section[1:] + section[:-1]) * np.diff(RADII)))
    bounds = np.linspace(0.01, 0.99, classes + 1)
    return Drops(2 * np.interp(bounds, summed / summed[-1], RADII), float(summed[-1]))


def torn_share(wind: float) -> float:
    """Return the fraction of breaking crests that a wind [m/s] tears."""
    return min(max((wind - SPUME_FROM) / (SPUME_FULL - SPUME_FROM), 0.0), 1.0)
