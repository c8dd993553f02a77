"""Spreading: D(w, theta) [1/rad], the distribution of waves over direction at each frequency, with integral 1; and the
wind close to the water (Elfouhaily et al. 1997), on which it depends.

A model has three steps: its parameters at each w, the norm, and the profile over direction. Only the profile is
evaluated for every wave vector. There are two families: powers of cos(theta / 2), whose norm is known, and lobes of
other forms. Each can be elongated along the mean direction, as swell is (Horvath 2015). To add a model, write its class
in a family and name it in `Spreading`.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field

from ocean.common.parameters import Parameters, parameter
from ocean.waves.dispersion import GRAVITY, Array

FloatArray = NDArray[np.floating[Any]]


# -- The wind close to the water ---------------------------------------------------------------------------------------

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


# -- Spreads -----------------------------------------------------------------------------------------------------------

NARROWEST = 100.0
"""Largest power s: 8 degrees to either side, narrower than the lattice of the largest tile resolves."""


@dataclass(frozen=True)
class WaveComponents:
    """The wave components to spread, with the values that models depend on. w and k have one shape."""

    w: Array  # angular frequency [rad/s]
    k: Array  # wave number in deep water [rad/m]
    peak_frequency: float  # peak frequency of the system [rad/s]
    wind_speed: float  # U10 [m/s]; 0 for swell

    @property
    def relative(self) -> Array:
        """w / wp."""
        return np.asarray(self.w / self.peak_frequency)

    @property
    def inverse_age(self) -> float:
        """U10 / cp of the system: above about 0.8 the wind still feeds it."""
        return self.wind_speed * self.peak_frequency / GRAVITY


class Directions(ABC):
    """A spread: a model with parameters, or a measured one."""

    @abstractmethod
    def parameters(self, components: WaveComponents) -> tuple[Array, ...]:
        """Return the parameters of the profile, each of the components' shape."""

    @abstractmethod
    def norm(self, *parameters: ArrayLike) -> Array:
        """Return the factor [1/rad] that makes the integral of the profile 1."""

    @abstractmethod
    def profile(self, cosine: FloatArray, sine: FloatArray, *parameters: FloatArray) -> FloatArray:
        """Return the profile at an angle theta, clockwise from the mean direction, in the precision of its
        arguments."""


class SpreadingModel(Parameters, Directions):
    """The parameters of a spread, with its `kind`."""

    kind: str
    elongation: float = parameter(0.0, "Elongation along the mean direction, as in swell.", low=0, high=1)
    needs_wind: ClassVar[bool] = False

    def swell_power(self, components: WaveComponents) -> Array:
        """Return the power of cos^2s(theta / 2) by which swell multiplies the spread.

        `s = 16.1 tanh(wp / w) xi²` (Horvath 2015), largest below the peak; xi, called swell there, is `elongation`.
        """
        return np.asarray(16.1 * np.tanh(1 / components.relative) * self.elongation**2)


def half_angle(cosine: FloatArray, s: FloatArray) -> FloatArray:
    """Return `|cos(theta / 2)|^(2 s) = ((1 + cos theta) / 2)^s`, in the precision of the cosines."""
    half = np.maximum(0.5 + 0.5 * cosine, np.finfo(np.float32).tiny)  # a half of 0 would give 0 * ln 0 for s = 0
    return np.asarray(np.exp(s * np.log(half)))


# -- Powers of the half angle's cosine ---------------------------------------------------------------------------------


class CosinePower(SpreadingModel):
    """`Q(s) |cos(theta / 2)|^(2 s)` with s(w) (Longuet-Higgins, Cartwright and Smith 1963)."""

    @abstractmethod
    def exponent(self, components: WaveComponents) -> Array:
        """Return the power s >= 0 without swell; a larger s is narrower."""

    def parameters(self, components: WaveComponents) -> tuple[Array, ...]:
        """Return the power, with the swell's power added."""
        return (self.exponent(components) + self.swell_power(components),)

    def norm(self, *parameters: ArrayLike) -> Array:
        """Return Q(s) = `2^(2s-1) / pi Gamma(s+1)² / Gamma(2s+1)` [1/rad], which is `Gamma(s+1) / (2 sqrt(pi)
        Gamma(s+1/2))`.

        It uses log-gamma: the gammas themselves overflow, and common polynomial fits turn negative near s = 150.
        """
        from ocean.waves.special import log_gamma

        s = np.asarray(parameters[0], np.float64)
        return np.asarray(np.exp(log_gamma(s + 1) - log_gamma(s + 0.5)) / (2 * math.sqrt(math.pi)))

    def profile(self, cosine: FloatArray, sine: FloatArray, *parameters: FloatArray) -> FloatArray:
        return half_angle(cosine, parameters[0])


class Hasselmann(CosinePower):
    """Narrow at the peak, broad far from it, by wave age (Hasselmann, Dunckel and Ewing 1980)."""

    kind: Literal["hasselmann"] = "hasselmann"
    needs_wind: ClassVar[bool] = True

    def exponent(self, components: WaveComponents) -> Array:
        x = components.relative
        above = np.maximum(x, 1.0) ** (-2.33 - 1.45 * (components.inverse_age - 1.17))
        return np.where(x <= 1, 6.97 * np.minimum(x, 1.0) ** 4.06, 9.77 * above)


class Mitsuyasu(CosinePower):
    """Narrow at the peak, broad far from it; narrower for an older sea (Mitsuyasu et al. 1975)."""

    kind: Literal["mitsuyasu"] = "mitsuyasu"
    needs_wind: ClassVar[bool] = True

    def exponent(self, components: WaveComponents) -> Array:
        """Return `s = sp (w/wp)^5` up to the peak, `sp (w/wp)^-2.5` above, with `sp = 11.5 (wp U/g)^-2.5`, at most 100.

        Seas on which the wind acts have U wp/g > 0.8 and sp < 20; the bound is for swell under a light wind.
        """
        x = components.relative
        peak = min(11.5 * math.pow(components.inverse_age, -2.5), NARROWEST)
        return np.where(x <= 1, peak * np.minimum(x, 1.0) ** 5, peak * np.maximum(x, 1.0) ** -2.5)


class Cos2s(CosinePower):
    """An equal spread for all waves: s = 1 is very broad, 100 a narrow swell (Longuet-Higgins et al. 1963)."""

    kind: Literal["cos-2s"] = "cos-2s"
    s: float = parameter(10.0, "Narrowness: the s of cos^2s(theta / 2).", low=1.0, high=100.0, logarithmic=True)

    def exponent(self, components: WaveComponents) -> Array:
        return np.full(np.shape(components.w), self.s)


# -- Lobes -------------------------------------------------------------------------------------------------------------


class Lobe(SpreadingModel):
    """A spread of any form, times `|cos(theta / 2)|^(2 s)` of swell; with swell the norm is a quadrature."""

    REACH: ClassVar[float] = math.pi  # beyond this angle the lobe is 0
    NODES: ClassVar[int] = 64  # nodes of Gauss's quadrature over half the lobe: error 1e-9

    def width(self, components: WaveComponents) -> tuple[Array, ...]:
        """Return the parameters of the lobe's form; none by default."""
        return ()

    @abstractmethod
    def lobe(self, cosine: FloatArray, *width: FloatArray) -> FloatArray:
        """Return the form at an angle, not normalised."""

    @abstractmethod
    def lobe_norm(self, *width: Array) -> ArrayLike:
        """Return the norm [1/rad] without swell."""

    def parameters(self, components: WaveComponents) -> tuple[Array, ...]:
        """Return swell's power, then the parameters of the lobe."""
        return self.swell_power(components), *self.width(components)

    def norm(self, *parameters: ArrayLike) -> Array:
        s, *width = (np.asarray(parameter, np.float64) for parameter in parameters)
        if self.elongation == 0:
            return np.broadcast_to(np.asarray(self.lobe_norm(*width), np.float64), s.shape)
        nodes, weights = np.polynomial.legendre.leggauss(self.NODES)
        v = (nodes + 1) / 2  # theta = (1 - v³) reach smooths the cusp of a low power of swell at pi
        total = np.zeros_like(s)
        for cosine, weight in zip(np.cos(self.REACH * (1 - v**3)), weights * 3 * v**2 * self.REACH, strict=True):
            total += weight * half_angle(cosine, s) * self.lobe(cosine, *width)
        return np.asarray(1 / total)

    def profile(self, cosine: FloatArray, sine: FloatArray, *parameters: FloatArray) -> FloatArray:
        s, *width = parameters
        lobe = self.lobe(cosine, *width)
        return np.asarray(lobe * half_angle(cosine, s)) if self.elongation else lobe


class CosSquared(Lobe):
    """An equal, broad spread for all waves, with none against the wind (Pierson, Neumann and James 1955)."""

    kind: Literal["cos-squared"] = "cos-squared"
    REACH: ClassVar[float] = math.pi / 2

    def lobe(self, cosine: FloatArray, *width: FloatArray) -> FloatArray:
        """Return `cos² theta` for |theta| < pi/2."""
        return np.asarray(np.maximum(cosine, 0) ** 2)

    def lobe_norm(self, *width: Array) -> ArrayLike:
        return 2 / math.pi


class DonelanBanner(Lobe):
    """Narrow at the peak, broad far from it, as measured with wave staffs (Donelan et al. 1985, Banner 1990)."""

    kind: Literal["donelan-banner"] = "donelan-banner"

    def width(self, components: WaveComponents) -> tuple[Array, ...]:
        """Return beta: `2.61 x^1.3` for x = w/wp < 0.95, `2.28 x^-1.3` for x < 1.6, then Banner's `10^e`,

        `e = -0.4 + 0.8393 exp(-0.567 ln x²)`. At least 1e-3, which is almost isotropic.
        """
        x = components.relative
        banner = 10 ** (-0.4 + 0.8393 * np.maximum(x, 1.0) ** (-2 * 0.567))
        middle = 2.28 * np.maximum(x, 0.1) ** -1.3
        return (np.maximum(np.where(x < 0.95, 2.61 * x**1.3, np.where(x < 1.6, middle, banner)), 1e-3),)

    def lobe(self, cosine: FloatArray, *width: FloatArray) -> FloatArray:
        """Return `sech²(beta theta)` for |theta| <= pi."""
        return np.asarray(1 / np.cosh(width[0] * np.arccos(np.clip(cosine, -1, 1))) ** 2)

    def lobe_norm(self, *width: Array) -> ArrayLike:
        return np.asarray(width[0] / (2 * np.tanh(width[0] * math.pi)))


class ElfouhailySpreading(Lobe):
    """The spread of Elfouhaily's spectrum: along the wind at the peak and at ripples, broad between them."""

    kind: Literal["elfouhaily"] = "elfouhaily"
    needs_wind: ClassVar[bool] = True
    REACH: ClassVar[float] = math.pi / 2

    def width(self, components: WaveComponents) -> tuple[Array, ...]:
        """Return `Delta = tanh(ln(2)/4 + 4 (c/cp)^2.5 + 0.13 (u*/cm) (cm/c)^2.5)` (Elfouhaily et al. 1997, eq. 57)."""
        speed, peak = phase_speed(components.k), phase_speed(components.peak_frequency**2 / GRAVITY)
        ripples = 0.13 * friction_velocity(components.wind_speed, components.inverse_age) / RIPPLE_SPEED
        return (np.tanh(math.log(2) / 4 + 4 * (speed / peak) ** 2.5 + ripples * (RIPPLE_SPEED / speed) ** 2.5),)

    def lobe(self, cosine: FloatArray, *width: FloatArray) -> FloatArray:
        """Return `1 + Delta cos 2 theta` down wind, half of it across the wind, and 0 against the wind.

        The paper's spread is symmetric, because a picture of the sea does not show to which side it runs.
        """
        return np.asarray(np.heaviside(cosine, cosine.dtype.type(0.5)) * (1 + width[0] * (2 * cosine**2 - 1)))

    def lobe_norm(self, *width: Array) -> ArrayLike:
        return 1 / math.pi


Spreading = Annotated[
    Hasselmann | Mitsuyasu | DonelanBanner | ElfouhailySpreading | CosSquared | Cos2s, Field(discriminator="kind")
]
"""Any of the models, discriminated by `kind`: the type of a settings field."""

SWELL_SPREADING = Cos2s(s=50.0)
"""Spread of swell: 11 degrees to either side (Goda 1985: s from 25 to 75)."""
