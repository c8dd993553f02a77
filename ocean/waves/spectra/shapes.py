"""Shapes: the spectra of known sea states, over frequency, S(w), and over wave numbers, F(k).

A shape is given in one of the two. The bottom acts on both by one rule: waves of equal saturation have the steepness
that their length allows, in water of any depth (Kitaigorodskii et al. 1975).
"""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ocean.common.parameters import Parameters
from ocean.waves.dispersion import (
    Array,
    DispersionKind,
    angular_frequency,
    deep_wavenumber,
    group_speed,
    wavenumber,
)
from ocean.waves.spreading import Directions

STILL = 1e-30
"""Level of a spectrum [its own unit] below which there are no waves: powers of its variance would be 0."""


def kitaigorodskii(w: ArrayLike, depth: float, kind: DispersionKind = "finite-depth") -> Array:
    """Return the ratio of the density at a depth [m] to that in deep water, at angular frequency w [rad/s]: 0 to 1.

    `tanh²(k d) / (1 + 2 k d / sinh(2 k d))` with k from the dispersion relation itself, not one of its fits
    (Kitaigorodskii et al. 1975; Bouws et al., the TMA spectrum, 1985). In deep water it is 1.
    """
    return depth_factor(wavenumber(w, depth, kind) * depth) if kind != "deep" else np.ones_like(w, np.float64)


def depth_factor(kd: ArrayLike) -> Array:
    """Return the Kitaigorodskii factor of a relative depth k d >= 0; beyond 20 it is 1 to rounding."""
    kd = np.clip(kd, 1e-9, 20.0)
    return np.asarray(np.tanh(kd) ** 2 / (1 + 2 * kd / np.sinh(2 * kd)))


class Shape(ABC):
    """A spectrum of a known sea state, in water of any depth [m] > 0 and under any dispersion relation."""

    directions: Directions | None = None
    """Measured spread of the waves; None leaves the spread to a model."""

    remark: str = ""
    """Remark on the shape for the panel and `sea`: one sentence, or nothing."""

    is_damped_in_light_wind: ClassVar[bool] = False
    """Whether light winds damp short waves of this shape: it follows from a wind by laws that were fitted to the waves
    around its peak."""

    peak_frequency: float
    """Angular frequency [rad/s] of the peak of S(w) in deep water; any finite value for a flat sea."""

    @property
    @abstractmethod
    def is_flat(self) -> bool:
        """Whether there are no waves at all."""

    @abstractmethod
    def frequency_density(self, w: ArrayLike, depth: float, kind: DispersionKind) -> Array:
        """Return the variance density S(w) [m² s] at angular frequencies w [rad/s], one-sided; its integral is m0."""

    @abstractmethod
    def wave_number_density(self, k: ArrayLike, depth: float, kind: DispersionKind) -> Array:
        """Return the variance density F(k) = S dw/dk [m³] at wave numbers k > 0 [rad/m], all directions together."""


class FrequencyShape(Shape):
    """A shape that is given over frequency, in deep water unless it was measured at the sea's depth."""

    feels_bottom: ClassVar[bool] = True

    @abstractmethod
    def density(self, w: ArrayLike) -> Array:
        """Return the variance density [m² s] at angular frequencies w >= 0 [rad/s], without the depth factor; any
        shape."""

    def frequency_density(self, w: ArrayLike, depth: float, kind: DispersionKind) -> Array:
        return self.density(w) * (kitaigorodskii(w, depth, kind) if self.feels_bottom else 1.0)

    def wave_number_density(self, k: ArrayLike, depth: float, kind: DispersionKind) -> Array:
        k = np.asarray(k, np.float64)
        density = self.density(angular_frequency(k, depth, kind))
        if self.feels_bottom and kind != "deep":
            density = density * depth_factor(k * depth)
        return density * group_speed(k, depth, kind)


class WaveNumberShape(Shape):
    """A shape that is given over wave numbers, by its saturation.

    The bottom does not change the saturation of waves of a frequency: `F(k) = B(k') / k³`, k' being their wave number
    in deep water. This equals the Kitaigorodskii factor, as `(k'/k)³ dk'/dk = tanh³ (tanh + kd / cosh²)` shows.
    """

    @abstractmethod
    def saturation(self, k: Array) -> Array:
        """Return B(k) = k³ F(k) [1] at wave numbers k > 0 [rad/m] in deep water."""

    def frequency_density(self, w: ArrayLike, depth: float, kind: DispersionKind) -> Array:
        w = np.asarray(w, np.float64)
        k = wavenumber(np.where(w > 0, w, 1.0), depth, kind)
        return np.where(w > 0, self.wave_number_density(k, depth, kind) / group_speed(k, depth, kind), 0.0)

    def wave_number_density(self, k: ArrayLike, depth: float, kind: DispersionKind) -> Array:
        k = np.asarray(k, np.float64)
        return np.asarray(self.saturation(deep_wavenumber(k, depth, kind)) / k**3)


class SpectrumModel(Parameters, ABC):
    """The parameters of a spectrum, with its `kind`; it makes the shape of a sea state."""

    kind: str
    needs_wind: ClassVar[bool] = False  # if True, it can't be a swell
    needs_bottom: ClassVar[bool] = False  # if True, the sea needs a finite depth

    @abstractmethod
    def shape(self, speed: float, fetch: float) -> Shape:
        """Return the shape under a wind of U10 = speed [m/s] over a fetch [m]; flat if either is 0."""

    def shape_of_height(self, height: float, period: float, depth: float, kind: DispersionKind) -> Shape:
        """Return the shape with Hs = height > 0 [m] and its peak at the period Tp [s], both at this depth [m]. A model
        that has no such shape leaves this out.

        Raises:
            ValueError: when it is no spectrum of a given height.
        """
        raise ValueError(f"spectrum = {self.kind} can't be given by height and period; jonswap can")
