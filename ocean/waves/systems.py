"""Wave systems: a wind sea or a swell, with spectrum, spread, direction and water depth; and sea states by number.

A system combines spectrum and spreading into the density over wave vectors, Psi(kx, kz). A sea is a sum of systems.
Axes: x east, z south; directions of propagation, in degrees clockwise from north.

A Beaufort number or a WMO sea state stands for a range. The number becomes the middle of its range, and a sea gets the
number of the range that it lies in, so that both conversions are inverse to each other.
"""

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ocean.waves.dispersion import GRAVITY, Array, DispersionKind, angular_frequency, deep_wavenumber, wavenumber
from ocean.waves.spectra import SWELL_SPECTRUM, GrowingSea, PiersonMoskowitz, Shape, SpectrumModel
from ocean.waves.spreading import (
    CALM,
    SWELL_SPREADING,
    Directions,
    ElfouhailySpreading,
    SpreadingModel,
    WaveComponents,
    measured_slopes,
)

SHORTEST = 1000.0
"""Wave number [rad/m] of the shortest waves in the model: 6 mm, where viscosity ends the spectrum."""

TAIL_FROM, TAIL_FULL = 5.0, 20.0
"""A wind sea's tail sets in between these multiples of the peak's wave number. The tail carries most of the slope
variance and a hundredth of the height variance."""


def unit(direction: float) -> tuple[float, float]:
    """Return the unit vector (x, z) of a direction [degrees]: north is -z, east is +x."""
    angle = math.radians(direction)
    return math.sin(angle), -math.cos(angle)


class WindRun:
    """The distance that the wind has blown, which stays continuous when the wind changes."""

    def __init__(self) -> None:
        self._velocity: tuple[float, float] | None = None
        self._carried = 0.0, 0.0  # m: offset that keeps the distance continuous

    def at(self, velocity: tuple[float, float], time: float) -> tuple[float, float]:
        """Return the distance (east, south) [m] at a time [s], for the wind's velocity (east, south) [m/s]."""
        (x, z), (east, south) = self._carried, velocity
        if self._velocity is not None and velocity != self._velocity:
            x, z = x + (self._velocity[0] - east) * time, z + (self._velocity[1] - south) * time
        self._velocity, self._carried = velocity, (x, z)
        return east * time + x, south * time + z


@dataclass(frozen=True)
class WaveSystem:
    """One wind sea or swell. Directions in degrees, depth in m, wind_speed U10 in m/s (0 for swell).

    Angles of the spread count from `direction`: from north for a spread that was measured by the compass.
    """

    direction: float
    depth: float
    dispersion: DispersionKind
    shape: Shape
    spreading: Directions
    wind_speed: float = 0.0
    wind_direction: float = 0.0

    @property
    def is_flat(self) -> bool:
        return self.shape.is_flat

    @property
    def peak_frequency(self) -> float:
        """Angular frequency [rad/s] of the spectrum's peak in deep water."""
        return self.shape.peak_frequency

    def density(self, w: ArrayLike) -> Array:
        """Return the variance density S(w) [m² s] at angular frequencies w [rad/s], with the depth factor."""
        w = np.asarray(w, np.float64)
        kept = self._kept(wavenumber(w, self.depth, self.dispersion))
        return self.shape.frequency_density(w, self.depth, self.dispersion) * kept

    def wave_number_density(self, k: ArrayLike) -> Array:
        """Return the variance density over wave numbers k > 0 [rad/m], all directions together: `S(w) dw/dk` [m³]."""
        return self.shape.wave_number_density(k, self.depth, self.dispersion) * self._kept(k)

    @cached_property
    def tail(self) -> tuple[float, float]:
        """Fraction, 0 to 1, by which a wind sea's tail is damped, and the factor by which all waves are raised in
        return.

        Damping limits the slopes of all waves to Cox and Munk's (1954) measurements at this wind; the factor keeps
        the height. Spectra were fitted to the waves with most energy: down to ripples they have up to twice the
        measured slopes in light winds.
        """
        if not self.shape.is_damped_in_light_wind or self.wind_speed < CALM:
            return 0.0, 1.0
        k = np.geomspace(1e-4, SHORTEST, 1001)
        heights = k * self.shape.wave_number_density(k, self.depth, self.dispersion)  # over ln k, like the slopes
        part, measured = self._in_tail(k), sum(measured_slopes(self.wind_speed))
        height, tail_height, slope, tail_slope = (
            float(np.trapezoid(of, np.log(k)))
            for of in (heights, heights * part, heights * k**2, heights * k**2 * part)
        )
        if slope <= measured or not tail_slope:  # in the lightest winds all ripples are near the peak
            return 0.0, 1.0
        lost = min(height * (slope - measured) / (height * tail_slope - measured * tail_height), 1.0)
        return lost, height / (height - lost * tail_height)

    def _kept(self, k: ArrayLike) -> Array:
        lost, raised = self.tail
        return np.asarray(raised * (1 - lost * self._in_tail(k)))

    def _in_tail(self, k: ArrayLike) -> Array:
        """Return the degree, 0 to 1, to which waves of wave numbers k [rad/m] belong to the tail."""
        peak = wavenumber(self.peak_frequency, self.depth, self.dispersion)
        x = np.maximum(np.asarray(k, np.float64) / (TAIL_FROM * peak), 1.0)
        t = np.minimum(np.log(x) / math.log(TAIL_FULL / TAIL_FROM), 1.0)
        return np.asarray(t * t * (3 - 2 * t))

    def radial(self, k: ArrayLike) -> tuple[Array, ...]:
        """Return the factor `S N (dw/dk) / k` [m^4] of Psi at each wave number k > 0 [rad/m], N being the norm of the
        spread, and the parameters of the spread's profile.

        `Psi = factor * spreading.profile(cos theta, sin theta, *parameters)`, so that only the profile is evaluated for
        every wave vector.
        """
        k = np.asarray(k, np.float64)
        w, deep = (convert(k, self.depth, self.dispersion) for convert in (angular_frequency, deep_wavenumber))
        parameters = self.spreading.parameters(WaveComponents(w, deep, self.peak_frequency, self.wind_speed))
        return self.wave_number_density(k) * self.spreading.norm(*parameters) / k, *parameters

    def wave_vector_density(self, kx: ArrayLike, kz: ArrayLike) -> Array:
        """Return the variance density over wave vectors, `Psi = S(w) D(w, theta) (dw/dk) / k` [m^4]; 0 at k = 0.

        kx and kz [rad/m] are in world axes and broadcast. The Jacobian turns dw dtheta into dkx dkz (Horvath,
        Empirical directional wave spectra for computer graphics, 2015).
        """
        kx, kz = np.asarray(kx, np.float64), np.asarray(kz, np.float64)
        k = np.hypot(kx, kz)
        if self.is_flat:
            return np.zeros_like(k)
        moving = np.where(k > 0, k, 1.0)
        x, z = unit(self.direction)
        factor, *parameters = self.radial(moving)
        cosine, sine = (x * kx + z * kz) / moving, (x * kz - z * kx) / moving
        return np.where(k > 0, factor * self.spreading.profile(cosine, sine, *parameters), 0.0)


def wind_sea(
    speed: float,
    direction: float,
    fetch: float,
    depth: float,
    spectrum: SpectrumModel,
    spreading: SpreadingModel,
    dispersion: DispersionKind = "finite-depth",
    height: float = 0.0,
    period: float = 0.0,
    depth_limit: bool = False,
) -> WaveSystem:
    """Return the sea that a wind of U10 = speed [m/s] towards a direction [degrees] raises over a fetch [m].

    A significant height Hs > 0 [m] with a peak period Tp [s] replaces height and period from wind and fetch. With
    `depth_limit`, a JONSWAP, TMA or Pierson-Moskowitz sea from wind and fetch is no higher than `shallow_limit`. Raises
    ValueError when the models contradict each other or the other arguments; the message says why.
    """
    if isinstance(spreading, ElfouhailySpreading) and spectrum.kind != "elfouhaily":
        raise ValueError(f"spreading = elfouhaily belongs to spectrum = elfouhaily, not to {spectrum.kind}")
    if spectrum.needs_bottom and dispersion == "deep":
        raise ValueError(f"spectrum = {spectrum.kind} needs a finite depth, not dispersion = deep")
    given = height > 0
    if (
        depth_limit
        and not given
        and dispersion == "finite-depth"
        and (found := _limited(spectrum, speed, fetch, depth))
    ):
        given, (height, period) = True, found
    shape = spectrum.shape_of_height(height, period, depth, dispersion) if given else spectrum.shape(speed, fetch)
    if shape.directions is not None:  # measured, clockwise from north
        return WaveSystem(0.0, depth, dispersion, shape, shape.directions, speed, direction)
    if spreading.needs_wind and speed < CALM and not shape.is_flat:
        raise ValueError(f"spreading = {spreading.kind} needs a wind, and there is none")
    return WaveSystem(direction, depth, dispersion, shape, spreading, speed, direction)


def swell(
    height: float,
    period: float,
    direction: float,
    depth: float,
    dispersion: DispersionKind = "finite-depth",
    spectrum: SpectrumModel = SWELL_SPECTRUM,
    spreading: SpreadingModel = SWELL_SPREADING,
) -> WaveSystem:
    """Return the waves of a swell of significant height Hs [m] and peak period Tp [s], both at this depth [m]. Raises
    ValueError when the models contradict each other or the other arguments; the message says why."""
    if spectrum.needs_wind:
        raise ValueError(f"spectrum = {spectrum.kind} needs a wind, and a swell has none")
    if spreading.needs_wind:
        raise ValueError(f"spreading = {spreading.kind} needs a wind, and a swell has none")
    return wind_sea(0.0, direction, 0.0, depth, spectrum, spreading, dispersion, height, period)


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
"""Significant height [m] for state 9, whose range has no upper bound."""

BREAKING = 0.6
"""Significant height over depth beyond which waves break: Hs = sqrt(2) Hrms, and surf has been measured to end at Hrms
= 0.42 d (Thornton and Guza 1982)."""

STEEPEST = 0.142
"""Height over length beyond which no regular wave is stable in deep water (Michell 1893); times tanh(kd) in any depth
(Miche 1944). The highest third of a sea can't be that steep on average."""

STEEP = 1 / 15
"""Significant height over peak wavelength that measured seas hardly exceed (Battjes 1972; DNV-RP-C205, 2010)."""

LOW = 1.0
"""Significant height [m] up to which a sea has few whitecaps in any case."""

SHALLOW = 0.5
"""Depth over peak wavelength below which waves feel the bottom."""

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
    grown = PiersonMoskowitz().shape(1.0, math.inf)  # wind of 1 m/s; heights grow as the square of the wind
    return math.sqrt(height / (4 * math.sqrt(grown.alpha / 5) * GRAVITY / grown.peak_frequency**2))


def grown_period(height: float) -> float:
    """Return the peak period [s] of a fully grown sea of this significant height [m] in deep water (Pierson and
    Moskowitz 1964).

    That is `5.0 s sqrt(Hs / m)`, which is also the end of growth in DNV-RP-C205 (2010).
    """
    return grown_wind(height) * 2 * math.pi / PiersonMoskowitz().shape(1.0, math.inf).peak_frequency


def shallow_limit(speed: float, depth: float) -> tuple[float, float]:
    """Return the significant height [m] and peak period [s] that a wind of U10 = speed [m/s] raises at most in water of
    a depth d [m], at any fetch (Young and Verhagen 1996, equations 25 and 26).

    With `delta = g d / U²`: `g² m0 / U⁴ = 3.64e-3 tanh(0.493 delta^0.75)^1.74` and `fp U / g = 0.133 tanh(0.331
    delta^1.01)^-0.37`. Extreme winds over 2 m of water stay below `BREAKING`.
    """
    delta = GRAVITY * depth / speed**2
    m0 = 3.64e-3 * math.tanh(0.493 * delta**0.75) ** 1.74 * speed**4 / GRAVITY**2
    return min(4 * math.sqrt(m0), BREAKING * depth), speed / GRAVITY / 0.133 * math.tanh(0.331 * delta**1.01) ** 0.37


@lru_cache(maxsize=64)
def _limited(spectrum: SpectrumModel, speed: float, fetch: float, depth: float) -> tuple[float, float] | None:
    """Return height [m] and period [s] of a sea that the depth limits; None if it does not."""
    if not isinstance(spectrum, GrowingSea | PiersonMoskowitz) or (grown := spectrum.shape(speed, fetch)).is_flat:
        return None
    w = grown.peak_frequency * np.geomspace(0.2, 50, 1001)
    m0 = np.trapezoid(w * grown.frequency_density(w, depth, "finite-depth"), np.log(w))
    height, period = shallow_limit(speed, depth)
    if 4 * math.sqrt(float(m0)) <= height:
        return None
    return height, min(period, 2 * math.pi / grown.peak_frequency)


def is_fully_developed(spectrum: SpectrumModel, speed: float, fetch: float) -> bool:
    """Return whether a sea under a wind of U10 = speed [m/s] over this fetch [m] is fully developed; False without wind
    and for spectra that need none."""
    calm, here, endless = (spectrum.shape(*wind) for wind in ((0.0, fetch), (speed, fetch), (speed, math.inf)))
    return calm.is_flat and not here.is_flat and here.peak_frequency <= (1 + DEVELOPED) * endless.peak_frequency
