"""How the waves of each frequency spread about their mean direction: D(w, theta), in 1/rad, with integral 1.

The models here are of one family, `Q(s) |cos(theta / 2)|^(2 s)` (Longuet-Higgins, Cartwright and Smith 1963), and
differ in s(w). To add one, write its class with `exponent` and name it in `Spreading`; a model outside the family
overrides `norm` and `profile` too.
"""

import math
from abc import ABC, abstractmethod
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field
from scipy.special import gammaln

from ocean.parameters import Parameters, parameter
from ocean.waves.dispersion import GRAVITY, Array

FloatArray = NDArray[np.floating[Any]]


class CosinePower(Parameters, ABC):
    """The family in three steps. Only `profile` depends on the direction; the others are needed once for each w."""

    @abstractmethod
    def exponent(self, w: ArrayLike, peak_frequency: float, wind_speed: float) -> Array:
        """The power s >= 0 at angular frequency w [rad/s]; the larger, the narrower."""

    def norm(self, s: ArrayLike) -> Array:
        """Q(s) = `2^(2s-1) / pi Gamma(s+1)² / Gamma(2s+1)` [1/rad], which is `Gamma(s+1) / (2 sqrt(pi) Gamma(s+1/2))`.

        By log-gamma: the gammas themselves overflow, and the polynomial fits in use turn negative near s = 150.
        """
        s = np.asarray(s, np.float64)
        return np.asarray(np.exp(gammaln(s + 1) - gammaln(s + 0.5)) / (2 * math.sqrt(math.pi)))

    def profile(self, cosine: FloatArray, s: FloatArray) -> FloatArray:
        """`|cos(theta / 2)|^(2 s) = ((1 + cos theta) / 2)^s`, in the precision of the cosines that it gets."""
        half = np.maximum(0.5 + 0.5 * cosine, np.finfo(np.float32).tiny)  # 0 would make 0 * ln 0 of s = 0
        return np.asarray(np.exp(s * np.log(half)))

    def density(self, w: ArrayLike, theta: ArrayLike, peak_frequency: float, wind_speed: float) -> Array:
        """D(w, theta) [1/rad] at angular frequency w [rad/s] and angle theta [rad] from the mean direction.

        The peak frequency is in rad/s, the wind speed U10 in m/s; w and theta broadcast.
        """
        s = self.exponent(w, peak_frequency, wind_speed)
        return np.asarray(self.norm(s) * self.profile(np.cos(np.asarray(theta, np.float64)), s), np.float64)


class Hasselmann(CosinePower):
    """Narrow at the peak, broad far from it, by wave age (Hasselmann, Dunckel and Ewing 1980)."""

    kind: Literal["hasselmann"] = "hasselmann"

    def exponent(self, w: ArrayLike, peak_frequency: float, wind_speed: float) -> Array:
        """`s = 6.97 (w/wp)^4.06` up to the peak, `9.77 (w/wp)^(-2.33 - 1.45 (U wp/g - 1.17))` above the peak."""
        x = np.asarray(w, np.float64) / peak_frequency
        inverse_age = wind_speed * peak_frequency / GRAVITY
        above = np.maximum(x, 1.0) ** (-2.33 - 1.45 * (inverse_age - 1.17))
        return np.where(x <= 1, 6.97 * np.minimum(x, 1.0) ** 4.06, 9.77 * above)


class Cos2s(CosinePower):
    """The same spread for all waves: s = 1 is very broad, 100 a narrow swell (Longuet-Higgins et al. 1963)."""

    kind: Literal["cos-2s"] = "cos-2s"
    s: float = parameter(10.0, "How narrow: the s of cos^2s(theta / 2).", low=1.0, high=100.0, logarithmic=True)

    def exponent(self, w: ArrayLike, peak_frequency: float, wind_speed: float) -> Array:
        """s, whatever the frequency and the wind."""
        return np.full(np.shape(w), self.s)


Spreading = Annotated[Hasselmann | Cos2s, Field(discriminator="kind")]
"""Any of the models, told apart by `kind`: the type of a settings field."""
