"""Spectra of sun and ozone, the response of the eye, and the optical properties of air and sea water.

Radiance is carried at four WAVELENGTHS [W/m²/sr/nm]. One matrix turns it into linear Rec. 709 RGB with photometric
units: luminance in kcd/m², illuminance in klx, about 30 for white paper in the sun. Coefficients are in 1/m, heights
in m.

White is the white of a daylight camera: sun and sky together on level ground. Without this balance sunlit clouds are
pink beside a blue sky, and the sea below is lilac. If the sun above the air were white, the usual choice, clouds would
be cream and haze below them brown, because air scatters blue light back to space.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

WAVELENGTHS = np.array([630.0, 560.0, 490.0, 430.0])  # nm
SOLAR_IRRADIANCE = np.array([1.66424, 1.84225, 1.94593, 1.650615])
"""Irradiance above the air at WAVELENGTHS [W/m²/nm]: ASTM G-173 (extraterrestrial)."""
OZONE_CROSS_SECTION = 1e-27 * np.array([347.75, 388.3, 83.84, 6.9855])
"""Cross-section at WAVELENGTHS [m²]: Serdyuchenko, Gorshelev et al. (2014), at 233 K."""
FOUR_TO_RGB = np.array(
    [
        [67.6365485065, 39.7507694662, -39.2746147797, 12.4772671587],
        [-3.2176404856, 56.5682252350, 25.2256845395, -8.7135404067],
        [-1.2592499193, -11.8975644444, 39.7904660832, 52.3763489076],
    ]
)
"""Matrix from radiance at WAVELENGTHS to RGB, fitted to sunlight and skylight by `tests/reference/colours.py`. Four
wavelengths leave errors of 1 to 2 %, three leave 10 %."""
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])  # weights of linear Rec. 709


EARTH_RADIUS = 6.371e6
SUN_RADIUS = np.radians(0.2666)  # angular radius of the disc
AEROSOL_HEIGHT, SALT_HEIGHT = 1200.0, 500.0  # scale heights
SALT = 3e-5  # 1/m at sea level for a haze of 1
SPRAY_FROM = 20.8  # m/s: Beaufort 9, the first force at which spray reduces visibility
SPRAY, SPRAY_POWER = 5.5e-4, 2.195  # optical depth of spray: SPRAY U^SPRAY_POWER
OZONE_COLUMN = 300 * 2.687e20  # molecules/m²: 300 Dobson units
TROPOPAUSE = (1 - 11e3 / 44331.0) ** 4.2559
MOLECULAR_COLUMN = 44331.0 / 5.2559 * (1 - (1 - 11e3 / 44331.0) ** 5.2559) + TROPOPAUSE * 6700.0  # m at sea level


@dataclass(frozen=True)
class Air:
    """Molecules, ozone and two aerosols. `shaders/sky/air.glsl` has the same values.

    `turbidity` runs from 1, molecules alone, to 10, thick haze at all heights. `haze` is the amount of sea salt in the
    lowest half kilometre, 1 in a fresh breeze. A `wind` [m/s] of strong gale or more adds spray there.
    """

    turbidity: float = 2.0
    haze: float = 1.0
    wind: float = 0.0

    def rayleigh(self, wavelengths: Array = WAVELENGTHS) -> Array:
        """Return the scattering by molecules at sea level: the optical depth of Hansen and Travis (1974) over the
        column of air."""
        w = wavelengths / 1000
        depth = 0.008569 * w**-4 * (1 + 0.0113 * w**-2 + 0.00013 * w**-4)
        return np.asarray(depth / MOLECULAR_COLUMN)

    def aerosol(self, wavelengths: Array = WAVELENGTHS) -> Array:
        """Return the extinction at sea level by the aerosol of the whole column: Ångström's law with an exponent of 1.3
        and a coefficient that is linear in turbidity (Preetham, Shirley and Smits 1999, after Iqbal 1983)."""
        beta = 0.04608 * self.turbidity - 0.04586
        return np.asarray(beta * (wavelengths / 1000) ** -1.3 / AEROSOL_HEIGHT)

    def salt(self, wavelengths: Array = WAVELENGTHS) -> Array:
        """Return the extinction by sea salt and spray at sea level; grey, because drops exceed the wavelength."""
        return np.full_like(wavelengths, SALT * self.haze + self.spray())

    def spray(self) -> float:
        """Return the extinction by spray at sea level: the increase of the optical depth of Mulcahy et al. (2008) over
        that at SPRAY_FROM. Their measurements reach 18 m/s; stronger winds are an extrapolation."""
        return float(SPRAY * (max(self.wind, SPRAY_FROM) ** SPRAY_POWER - SPRAY_FROM**SPRAY_POWER) / SALT_HEIGHT)

    def ozone(self) -> Array:
        """Return the absorption at the middle of the ozone layer."""
        return np.asarray(OZONE_CROSS_SECTION * OZONE_COLUMN / 15e3)


PURE = np.array([0.2916, 0.0619, 0.0150, 0.00495])  # absorption of pure water at WAVELENGTHS
PIGMENT = np.array([0.317, 0.294, 0.750, 0.973])  # absorption of phytoplankton, relative to 440 nm
MOLECULES = 0.00288 * (WAVELENGTHS / 500) ** -4.32  # scattering of sea water itself
STRAIGHT = 0.924**2  # fraction of particles' scattering that goes straight on: its mean cosine squared
ENTERED = 0.86  # mean cosine of daylight below the surface, for a high sun and its sky
ABOVE = 0.42  # ratio of pi times the radiance above water to the upward irradiance below: 0.54 pi / 4 (Mobley 1999)


@dataclass(frozen=True)
class Seawater:
    """Open-sea water (Case 1) with `chlorophyll` [mg/m³]: 0.03 in the clearest gyres, 0.3 in temperate seas, 10 in a
    bloom.

    Absorption follows Pope and Fry (1997) for pure water and Morel (1991) for plankton; scattering follows Morel (1974)
    and Gordon and Morel (1983). Most light that particles scatter goes almost straight on (Petzold 1972): by delta
    scaling (Joseph, Wiscombe and Weinman 1976) it counts as not scattered. Spectral coefficients are (4,), at
    WAVELENGTHS.
    """

    chlorophyll: float = 0.5

    def absorption(self) -> Array:
        c = self.chlorophyll
        yellow = 1 + 0.2 * np.exp(-0.014 * (WAVELENGTHS - 440))  # dissolved matter
        return np.asarray((PURE + 0.06 * PIGMENT * c**0.65) * yellow)

    def backscattering(self) -> Array:
        """Return the backscattering: half of the scattering by water, and of that by particles from 2 % in the clearest
        water to 0.6 % in a bloom."""
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
        """Return the attenuation of a narrow beam or of a small object's image, which also lose the light that turns by
        small angles."""
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
        """Return the RGB (3,) of the extinction of daylight in a metre of water, as -ln of the fraction that is left
        [1/m]."""
        return np.asarray(-np.log(np.maximum(of_daylight(np.exp(-self.absorption() - self.backscattering())), 1e-3)))


def of_daylight(share: Array) -> Array:
    """Return the RGB (..., 3) of sunlight filtered by a fraction (..., 4) of each wavelength, over the RGB of sunlight.
    Colours more saturated than RGB are clipped at 0."""
    colour = (SOLAR_IRRADIANCE * share) @ FOUR_TO_RGB.T / (FOUR_TO_RGB @ SOLAR_IRRADIANCE)
    return np.asarray(np.maximum(colour, 0.0))
