"""The colour of the sea's own water: what chlorophyll leaves of light (Case 1 waters, those of the open sea), and what
comes back up.

Absorption after Pope and Fry (1997) for pure water, and Morel (1991) for what lives in it; scattering after Morel
(1974) and Gordon and Morel (1983). Coefficients in 1/m, at the four wavelengths of `spectrum`.
"""

from dataclasses import dataclass

import numpy as np

from ocean.light.spectrum import FOUR_TO_RGB, SOLAR_IRRADIANCE, WAVELENGTHS, Array, at

PURE = np.array([0.2916, 0.0619, 0.0150, 0.00495])  # absorption of pure water at WAVELENGTHS
PIGMENT = np.array([0.317, 0.294, 0.750, 0.973])  # that of phytoplankton, over that at 440 nm
ABOVE = (
    0.42  # pi times the radiance above the water over the irradiance that comes up below it: 0.54 pi / 4 (Mobley 1999)
)


@dataclass(frozen=True)
class Seawater:
    """Water with `chlorophyll` [mg/m³]: 0.03 in the clearest gyres, 0.3 in temperate seas, 10 in a bloom."""

    chlorophyll: float = 0.5

    def absorption(self) -> Array:
        c = self.chlorophyll
        yellow = 1 + 0.2 * np.exp(-0.014 * (WAVELENGTHS - 440))  # dissolved matter that goes with it
        return np.asarray((PURE + 0.06 * PIGMENT * c**0.65) * yellow)

    def backscattering(self) -> Array:
        """Of water, half of what it scatters, and of particles, a hundredth of it."""
        c = self.chlorophyll
        particles = 0.30 * c**0.62 * (0.002 + 0.02 * (0.5 - 0.25 * np.log10(c)) * 550 / WAVELENGTHS)
        return np.asarray(0.5 * 0.00288 * (WAVELENGTHS / 500) ** -4.32 + particles)

    def scattering(self) -> Array:
        """RGB (3,) of what a metre of water scatters [1/m], delta scaled: all that water itself does, and of particles
        what does not go on almost straight, 1 - g² of it with a mean cosine g of 0.924 (see `water`)."""
        c = self.chlorophyll
        particles = (1 - 0.924**2) * 0.30 * c**0.62 * 550 / WAVELENGTHS
        return of_daylight(0.00288 * (WAVELENGTHS / 500) ** -4.32 + particles)

    def reflectance(self) -> Array:
        """Irradiance that comes up over that which goes down, just below the surface: 0.33 b_b / a (Morel and Prieur
        1977), which holds while it is small."""
        return np.asarray(0.33 * self.backscattering() / (self.absorption() + self.backscattering()))

    def albedo(self) -> Array:
        """RGB (3,) of pi times the radiance that leaves the water over the irradiance of daylight on it."""
        return of_daylight(ABOVE * self.reflectance())

    def extinction(self) -> Array:
        """RGB (3,) of the share of daylight that a metre of water takes, as -ln of what is left [1/m]."""
        return np.asarray(-np.log(np.maximum(of_daylight(np.exp(-self.absorption() - self.backscattering())), 1e-3)))


def of_daylight(share: Array) -> Array:
    """RGB of a share of each wavelength of sunlight, over that of all of it; none below 0, where a colour is more
    saturated than RGB has them."""
    sun = at(WAVELENGTHS, SOLAR_IRRADIANCE)
    return np.maximum(FOUR_TO_RGB @ (sun * share) / (FOUR_TO_RGB @ sun), 0.0)
