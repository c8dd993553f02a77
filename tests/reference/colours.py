"""Spectra of the sun and of ozone, the response of the eye, and the matrix to RGB that `ocean.light.optics` has."""

import numpy as np

from ocean.common.pictures import BRADFORD
from ocean.light.optics import LUMINANCE, WAVELENGTHS, Array

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
    spectra at one luminance."""
    spectra = daylight()
    rgb = spectrum_to_rgb(spectra)
    weight = 1.0 / (rgb @ LUMINANCE)[:, None]
    four = np.stack([at(WAVELENGTHS, spectrum) for spectrum in spectra])
    matrix, *_ = np.linalg.lstsq(weight * four, weight * rgb, rcond=None)
    return np.asarray(matrix.T)
