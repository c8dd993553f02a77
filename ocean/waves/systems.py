"""A wave system: one wind sea or swell, with spectrum, spread, direction and water depth.

Combines spectrum and spreading into the density over wave vectors, Psi(kx, kz). A sea is a sum of systems. Axes: x
east, z south; directions of propagation, in degrees clockwise from north.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ocean.waves.dispersion import Array, DispersionKind, angular_frequency, deep_wavenumber, wavenumber
from ocean.waves.spectra.jonswap import Jonswap
from ocean.waves.spectra.shapes import Shape, SpectrumModel
from ocean.waves.spreading import Cos2s, Directions, ElfouhailySpreading, SpreadingModel, WaveComponents
from ocean.waves.wind import CALM, measured_slopes

SWELL_SPECTRUM = Jonswap(gamma=6.0)
"""Spectrum of swell: dispersion has sorted its waves by length (Goda 1985: gamma from 3 to 10)."""

SWELL_SPREADING = Cos2s(s=50.0)
"""Spread of swell: 11 degrees to either side (Goda 1985: s from 25 to 75)."""


SHORTEST = 1000.0
"""Wave number [rad/m] of the shortest waves in the model: 6 mm, where viscosity ends the spectrum."""

TAIL_FROM, TAIL_FULL = 5.0, 20.0
"""Multiples of the peak's wave number between which a wind sea's tail sets in. The tail holds most of the slopes and a
hundredth of the height's variance."""


def unit(direction: float) -> tuple[float, float]:
    """Return the unit vector (x, z) of a direction [degrees]: north is -z, east is +x."""
    angle = math.radians(direction)
    return math.sin(angle), -math.cos(angle)


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
        k = wavenumber(w, self.depth, self.dispersion)
        return self.shape.frequency_density(w, self.depth, self.dispersion) * self._kept(k)

    def spread(self, w: ArrayLike, theta: ArrayLike) -> Array:
        """Return D(w, theta) [1/rad] at w > 0 [rad/s] and angle theta [rad], clockwise from the mean direction.

        Integrates to 1 over theta.
        """
        return self.spreading.density(self._components(wavenumber(w, self.depth, self.dispersion)), theta)

    def _components(self, k: Array) -> WaveComponents:
        w = angular_frequency(k, self.depth, self.dispersion)
        deep = deep_wavenumber(k, self.depth, self.dispersion)
        return WaveComponents(w, deep, self.peak_frequency, self.wind_speed)

    def wave_number_density(self, k: ArrayLike) -> Array:
        """Return the variance density over wave numbers k > 0 [rad/m], all directions together: `S(w) dw/dk` [m³]."""
        return self.shape.wave_number_density(k, self.depth, self.dispersion) * self._kept(k)

    @cached_property
    def tail(self) -> tuple[float, float]:
        """Share, 0 to 1, by which a wind sea's tail is damped, and the factor by which all waves are raised in return.

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
        parameters = self.spreading.parameters(self._components(k))
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
) -> WaveSystem:
    """Return the sea that a wind of U10 = speed [m/s] towards a direction [degrees] raises over a fetch [m].

    A significant height Hs > 0 [m] with a peak period Tp [s] replaces height and period from wind and fetch.

    Raises:
        ValueError: when the models contradict each other or the other arguments; the message says why.
    """
    if isinstance(spreading, ElfouhailySpreading) and spectrum.kind != "elfouhaily":
        raise ValueError(f"spreading = elfouhaily belongs to spectrum = elfouhaily, not to {spectrum.kind}")
    if spectrum.needs_bottom and dispersion == "deep":
        raise ValueError(f"spectrum = {spectrum.kind} needs a finite depth, not dispersion = deep")
    given = height > 0
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
    """Return the waves of a swell of significant height Hs [m] and peak period Tp [s], both at this depth [m].

    Raises:
        ValueError: when the models contradict each other or the other arguments; the message says why.
    """
    if spectrum.needs_wind:
        raise ValueError(f"spectrum = {spectrum.kind} needs a wind, and a swell has none")
    if spreading.needs_wind:
        raise ValueError(f"spreading = {spreading.kind} needs a wind, and a swell has none")
    return wind_sea(0.0, direction, 0.0, depth, spectrum, spreading, dispersion, height, period)
