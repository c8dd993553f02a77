"""Spectra of sun and ozone, the response of the eye, and the optical properties of air and sea water.

Radiance is carried at four WAVELENGTHS [W/m²/sr/nm]. One matrix turns it into linear Rec. 709 RGB with photometric
units: luminance in kcd/m², illuminance in klx, about 30 for white paper in the sun. Coefficients are in 1/m, heights
in m.

White is the white of a daylight camera: sun and sky together on level ground. Without this balance sunlit clouds are
pink beside a blue sky, and the sea below is lilac. With the sun above the air as white, the usual choice, clouds are
cream and haze below them is brown, because air scatters blue light back to space.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ocean.common.pictures import BRADFORD

Array = NDArray[np.float64]

WAVELENGTHS = np.array([630.0, 560.0, 490.0, 430.0])  # nm
BANDS = np.arange(385.0, 780.0, 10.0)  # nm, centres of the bins of the tables below

# fmt: off
SOLAR_IRRADIANCE = np.array([
    1.01249, 1.14716, 1.72765, 1.73054, 1.6887, 1.61253, 1.91198, 2.03474, 2.02042, 2.02212, 1.93377, 1.95809,
    1.91686, 1.8298, 1.8685, 1.8931, 1.85149, 1.8504, 1.8341, 1.8345, 1.8147, 1.78158, 1.7533, 1.6965, 1.68194,
    1.64654, 1.6048, 1.52143, 1.55622, 1.5113, 1.474, 1.4482, 1.41018, 1.36775, 1.34188, 1.31429, 1.28303, 1.26758,
    1.2367, 1.2082,
])
# fmt: on
"""Irradiance above the air [W/m²/nm]: means over 10 nm of ASTM G-173 (extraterrestrial), as in Bruneton (2017)."""

# fmt: off
OZONE_CROSS_SECTION = 1e-27 * np.array([
    0.2818, 0.6636, 1.527, 2.763, 5.52, 8.451, 15.82, 23.16, 36.69, 49.24, 77.52, 90.16, 148.0, 160.2, 213.9, 275.5,
    309.1, 350.0, 426.6, 467.2, 439.8, 470.1, 501.9, 430.5, 374.0, 321.5, 266.2, 223.8, 185.2, 147.3, 120.9, 94.23,
    74.55, 65.66, 51.05, 41.5, 42.28, 32.37, 24.51, 28.01,
])
# fmt: on
"""Cross-section [m²]: means over 10 nm at 233 K of Serdyuchenko, Gorshelev et al. (2014), as in Bruneton (2017)."""

LUMINOUS_EFFICACY = 683.0  # lm/W at the peak of the eye's response
XYZ_TO_RGB = np.array(
    [[3.2404542, -1.5371385, -0.4985314], [-0.9692660, 1.8760108, 0.0415560], [0.0556434, -0.2040259, 1.0572252]]
)
DAYLIGHT = (0.3281, 0.3385)
"""CIE 1931 chromaticity of sun and sky on level ground, the sun at 45 degrees, through air of turbidity 2 and haze 1
(`tests/reference/atmosphere.py`, over all of BANDS)."""

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])  # weights of linear Rec. 709


def at(wavelengths: Array, table: Array) -> Array:
    """Return a table over BANDS, interpolated at other wavelengths [nm]."""
    return np.interp(wavelengths, BANDS, table)


def colour_matching(wavelengths: Array) -> Array:
    """Return the CIE 1931 colour matching functions, (3, n), fitted by lobes (Wyman, Sloan and Shirley 2013)."""

    def lobe(height: float, mean: float, below: float, above: float) -> Array:
        width = np.where(wavelengths < mean, below, above)
        return np.asarray(height * np.exp(-0.5 * ((wavelengths - mean) / width) ** 2))

    x = lobe(1.056, 599.8, 37.9, 31.0) + lobe(0.362, 442.0, 16.0, 26.7) + lobe(-0.065, 501.1, 20.4, 26.2)
    y = lobe(0.821, 568.8, 46.9, 40.5) + lobe(0.286, 530.9, 16.3, 31.1)
    z = lobe(1.217, 437.0, 11.8, 36.0) + lobe(0.681, 459.0, 26.0, 13.8)
    return np.stack([x, y, z])


def white_balance() -> Array:
    """Return the matrix (3, 3) on XYZ that makes DAYLIGHT white and keeps its luminance (von Kries 1902)."""
    x, y = DAYLIGHT
    daylight, white = np.array([x, y, 1 - x - y]) / y, np.linalg.solve(XYZ_TO_RGB, np.ones(3))
    return np.asarray(np.linalg.solve(BRADFORD, (BRADFORD @ white / (BRADFORD @ daylight))[:, None] * BRADFORD))


def spectrum_to_rgb(spectrum: Array) -> Array:
    """Return the balanced RGB [kcd/m² or klx], (..., 3), of spectra [W/m²(/sr)/nm], (..., len(BANDS))."""
    xyz = 10.0 * LUMINOUS_EFFICACY / 1000 * spectrum @ colour_matching(BANDS).T
    return np.asarray(xyz @ (XYZ_TO_RGB @ white_balance()).T)


def daylight() -> Array:
    """Return typical spectra of suns and skies, (n, len(BANDS)): sunlight scattered as by clouds, haze and air, behind
    various amounts of air and ozone."""
    rayleigh, ozone = (BANDS / 550.0) ** -4, at(BANDS, OZONE_CROSS_SECTION) / OZONE_CROSS_SECTION.max()
    scattered = [(BANDS / 550.0) ** -power for power in (0.0, 1.3, 4.0)]
    spectra = [
        SOLAR_IRRADIANCE * colour * np.exp(-air * rayleigh - absorbed * ozone)
        for colour in scattered
        for air in (0.0, 0.1, 0.3, 0.6, 1.2, 2.5)
        for absorbed in (0.0, 0.05, 0.2, 0.6, 1.2)
    ]
    return np.stack(spectra)


def four_to_rgb() -> Array:
    """Return the matrix (3, 4) from radiance at WAVELENGTHS to RGB, fitted to `daylight` by least squares with all
    spectra at one luminance. Four wavelengths leave errors of 1 to 2 %, three leave 10 %."""
    spectra = daylight()
    rgb = spectrum_to_rgb(spectra)
    weight = 1.0 / (rgb @ LUMINANCE)[:, None]
    four = np.stack([at(WAVELENGTHS, spectrum) for spectrum in spectra])
    matrix, *_ = np.linalg.lstsq(weight * four, weight * rgb, rcond=None)
    return np.asarray(matrix.T)


FOUR_TO_RGB = four_to_rgb()


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

    def ozone(self, wavelengths: Array = WAVELENGTHS) -> Array:
        """Return the absorption at the middle of the ozone layer."""
        return np.asarray(at(wavelengths, OZONE_CROSS_SECTION) * OZONE_COLUMN / 15e3)


PURE = np.array([0.2916, 0.0619, 0.0150, 0.00495])  # absorption of pure water at WAVELENGTHS
PIGMENT = np.array([0.317, 0.294, 0.750, 0.973])  # absorption of phytoplankton, over that at 440 nm
MOLECULES = 0.00288 * (WAVELENGTHS / 500) ** -4.32  # scattering of sea water itself
STRAIGHT = 0.924**2  # fraction of particles' scattering that goes straight on: its mean cosine squared
ENTERED = 0.86  # mean cosine of daylight below the surface, for a high sun and its sky
ABOVE = 0.42  # pi times the radiance above the water over the upward irradiance below it: 0.54 pi / 4 (Mobley 1999)


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
    sun = at(WAVELENGTHS, SOLAR_IRRADIANCE)
    return np.maximum((sun * share) @ FOUR_TO_RGB.T / (FOUR_TO_RGB @ sun), 0.0)
