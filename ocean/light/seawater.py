"""The absorption, scattering and colour of the open sea's water (Case 1 waters) by its chlorophyll.

Absorption follows Pope and Fry (1997) for pure water, and Morel (1991) for plankton; scattering follows Morel (1974)
and Gordon and Morel (1983). Most light that particles scatter goes almost straight on (Petzold 1972): by delta scaling
(Joseph, Wiscombe and Weinman 1976) it counts as not scattered. Coefficients in 1/m, at the four wavelengths of
`spectrum`.
"""

from dataclasses import dataclass

import numpy as np

from ocean.light.optics import FOUR_TO_RGB, SOLAR_IRRADIANCE, WAVELENGTHS, Array, at

PURE = np.array([0.2916, 0.0619, 0.0150, 0.00495])  # absorption of pure water at WAVELENGTHS
PIGMENT = np.array([0.317, 0.294, 0.750, 0.973])  # absorption of phytoplankton, over that at 440 nm
MOLECULES = 0.00288 * (WAVELENGTHS / 500) ** -4.32  # scattering of sea water itself
STRAIGHT = 0.924**2  # share of particles' scattering that goes straight on: its mean cosine squared
ENTERED = 0.86  # mean cosine of daylight below the surface, for a high sun and its sky
ABOVE = 0.42  # pi times the radiance above the water over the upward irradiance below it: 0.54 pi / 4 (Mobley 1999)


@dataclass(frozen=True)
class Seawater:
    """Water with `chlorophyll` [mg/m³]: 0.03 in the clearest gyres, 0.3 in temperate seas, 10 in a bloom."""

    chlorophyll: float = 0.5

    def absorption(self) -> Array:
        c = self.chlorophyll
        yellow = 1 + 0.2 * np.exp(-0.014 * (WAVELENGTHS - 440))  # dissolved matter
        return np.asarray((PURE + 0.06 * PIGMENT * c**0.65) * yellow)

    def backscattering(self) -> Array:
        """Return the backscattering: by water, half of its scattering, and by particles, from 2 % in the clearest water
        to 0.6 % in a bloom."""
        c = self.chlorophyll
        particles = 0.30 * c**0.62 * (0.002 + 0.02 * (0.5 - 0.25 * np.log10(c)) * 550 / WAVELENGTHS)
        return np.asarray(0.5 * MOLECULES + particles)

    def particles(self) -> Array:
        """Return the scattering by particles, without the light that goes almost straight on."""
        return np.asarray((1 - STRAIGHT) * 0.30 * self.chlorophyll**0.62 * 550 / WAVELENGTHS)

    def attenuation(self) -> Array:
        """Return the attenuation of a ray, without the light that goes almost straight on."""
        return np.asarray(self.absorption() + MOLECULES + self.particles())

    def beam_attenuation(self) -> Array:
        """Return the attenuation of a narrow beam, and of the picture of a small object: light that turns by
        small angles is lost too."""
        return np.asarray(self.absorption() + MOLECULES + self.particles() / (1 - STRAIGHT))

    def fading(self) -> Array:
        """Return the attenuation of daylight with depth: absorption and backscattering along slanted paths."""
        return np.asarray((self.absorption() + self.backscattering()) / ENTERED)

    def scattering(self) -> Array:
        """Return the RGB (3,) of the scattering [1/m], without the light that goes almost straight on."""
        return of_daylight(MOLECULES + self.particles())

    def reflectance(self) -> Array:
        """Return the upward over the downward irradiance just below the surface: 0.33 b_b / (a + b_b) (after Gordon,
        Brown and Jacobs 1975), valid for small values."""
        return np.asarray(0.33 * self.backscattering() / (self.absorption() + self.backscattering()))

    def albedo(self) -> Array:
        """Return the RGB (3,) of pi times the radiance that leaves the water, over the irradiance of daylight on it."""
        return of_daylight(ABOVE * self.reflectance())

    def extinction(self) -> Array:
        """Return the RGB (3,) of the extinction of daylight in a metre of water, as -ln of the share that is left
        [1/m]."""
        return np.asarray(-np.log(np.maximum(of_daylight(np.exp(-self.absorption() - self.backscattering())), 1e-3)))


def of_daylight(share: Array) -> Array:
    """Return the RGB (..., 3) of a share (..., 4) of each wavelength of sunlight, over the RGB of all sunlight; at
    least 0, for colours that are more saturated than RGB."""
    sun = at(WAVELENGTHS, SOLAR_IRRADIANCE)
    return np.maximum((sun * share) @ FOUR_TO_RGB.T / (FOUR_TO_RGB @ sun), 0.0)
