"""Sea states as numbers: Beaufort numbers for the wind and WMO sea states for the height, and conversions both ways.

A number stands for a range. A number becomes the middle of its range, and a sea gets the number of the range that it
lies in, so both conversions are inverse to each other.
"""

import math
from bisect import bisect_left, bisect_right

from ocean.waves.dispersion import GRAVITY
from ocean.waves.spectra.jonswap import PiersonMoskowitz
from ocean.waves.spectra.shapes import SpectrumModel

BEAUFORT = (
    *("calm", "light air", "light breeze", "gentle breeze", "moderate breeze", "fresh breeze", "strong breeze"),
    *("near gale", "gale", "strong gale", "storm", "violent storm", "hurricane"),
)
"""Names of Beaufort's numbers 0 to 12 (WMO, Manual on Codes, code table 1100)."""

BEAUFORT_LIMITS = (0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7)
"""U10 [m/s] at which each of the numbers 1 to 12 begins (code table 1100)."""

SEA_STATES = (
    *("glassy", "rippled", "smooth", "slight", "moderate"),
    *("rough", "very rough", "high", "very high", "phenomenal"),
)
"""Names of the sea states 0 to 9 (WMO, Manual on Codes, code table 3700; the first two are both calm)."""

SEA_STATE_LIMITS = (0.0, 0.1, 0.5, 1.25, 2.5, 4.0, 6.0, 9.0, 14.0)
"""Significant height [m] with which each of the states 0 to 8 ends; a bound belongs to the lower state (code table
3700)."""

PHENOMENAL = 16.0
"""Significant height [m] that represents state 9, which has no upper bound."""

BREAKING = 0.6
"""Significant height over depth beyond which waves break: Hs = sqrt(2) Hrms, and surf has been measured to end at Hrms
= 0.42 d (Thornton and Guza 1982)."""

STEEPEST = 0.142
"""Height over length beyond which no regular wave is stable in deep water (Michell 1893); times tanh(kd) in any depth
(Miche 1944). The highest third of a sea can't be that steep on average."""

DEVELOPED = 0.01
"""Relative distance of a fully developed sea's peak frequency from the peak at endless fetch."""


def beaufort_speed(number: int) -> float:
    """Return U10 [m/s] of a Beaufort number 0 to 12, to 1 cm/s: `0.836 B^1.5`, the middle of its range.

    The formula is Simpson's (1906), by which the limits of code table 1100 were drawn in 1946.
    """
    return round(0.836 * math.pow(number, 1.5), 2)


def beaufort_number(speed: float) -> int:
    """Return the Beaufort number 0 to 12 of a wind of U10 = speed >= 0 [m/s]."""
    return bisect_right(BEAUFORT_LIMITS, speed)


def sea_state_height(number: int) -> float:
    """Return the significant height [m] of a sea state 0 to 9: the middle of its range."""
    if number == 0:
        return 0.0
    return PHENOMENAL if number == 9 else (SEA_STATE_LIMITS[number - 1] + SEA_STATE_LIMITS[number]) / 2


def sea_state_number(height: float) -> int:
    """Return the WMO sea state 0 to 9 of a significant height Hs >= 0 [m]."""
    return bisect_left(SEA_STATE_LIMITS, height)


def grown_wind(height: float) -> float:
    """Return U10 [m/s] for which a fully grown sea has this significant height [m] (Pierson and Moskowitz 1964)."""
    grown = PiersonMoskowitz().shape(1.0, math.inf)  # wind of 1 m/s; heights grow as its square
    return math.sqrt(height / (4 * math.sqrt(grown.alpha / 5) * GRAVITY / grown.peak_frequency**2))


def grown_period(height: float) -> float:
    """Return the peak period [s] of a fully grown sea of this significant height [m] in deep water (Pierson and
    Moskowitz 1964).

    That is `5.0 s sqrt(Hs / m)`, which is also the end of growth in DNV-RP-C205 (2010).
    """
    return grown_wind(height) * 2 * math.pi / PiersonMoskowitz().shape(1.0, math.inf).peak_frequency


def is_fully_developed(spectrum: SpectrumModel, speed: float, fetch: float) -> bool:
    """Return whether a sea under a wind of U10 = speed [m/s] over this fetch [m] is fully developed; False without wind
    and for spectra that need none."""
    calm, here, endless = (spectrum.shape(*wind) for wind in ((0.0, fetch), (speed, fetch), (speed, math.inf)))
    return calm.is_flat and not here.is_flat and here.peak_frequency <= (1 + DEVELOPED) * endless.peak_frequency


def is_too_high(height: float, depth: float) -> bool:
    """Return whether a sea of significant height Hs [m] would break in water of this depth [m]."""
    return height > BREAKING * depth


def steepest_height(wavelength: float, depth: float) -> float:
    """Return the height [m] at which a wave of this length [m] breaks in water of this depth [m]."""
    return STEEPEST * wavelength * math.tanh(2 * math.pi * depth / wavelength)
